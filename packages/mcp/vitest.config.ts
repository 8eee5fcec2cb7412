import { defineConfig } from 'vitest/config'

// Many tests here start a process of their own, which takes its time on a machine that is busy.
// Two processes for all files, because they wait for what they start: to start one for each, and to load everything in it
// again, cost a quarter of the run.
export default defineConfig({ test: { testTimeout: 30_000, maxWorkers: 2, isolate: false } })
