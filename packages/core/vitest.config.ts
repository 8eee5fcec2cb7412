import { defineConfig } from 'vitest/config'

// Not the copies that a mutation run makes beside it. A call of 2 000 attempts takes its time on a machine that is busy.
export default defineConfig({ test: { include: ['test/**/*.test.ts'], testTimeout: 30_000 } })
