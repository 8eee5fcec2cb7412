import { defineConfig } from 'vitest/config'

// Not the copies that a mutation run makes beside it. A call of 2 000 attempts takes its time on a machine that is busy.
// One process for all files: to start one for each, and to load everything in it again, cost a quarter of the run.
export default defineConfig({ test: { include: ['test/**/*.test.ts'], testTimeout: 30_000, isolate: false } })
