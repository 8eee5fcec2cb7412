import { defineConfig } from 'vitest/config'

// Many tests here start a process of their own, which takes its time on a machine that is busy.
export default defineConfig({ test: { testTimeout: 30_000 } })
