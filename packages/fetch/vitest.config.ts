import { defineConfig } from 'vitest/config'

// A call of 2 000 attempts takes its time on a machine that is busy.
export default defineConfig({ test: { testTimeout: 30_000 } })
