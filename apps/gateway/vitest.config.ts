import { defineConfig } from 'vitest/config'

// Engines and commands are really started here: on a busy machine that takes seconds, most of it waiting.
// Three processes for all files, which wait more than they work: to start one for each, and to load everything in it
// again, cost a quarter of the run.
export default defineConfig({ test: { testTimeout: 30_000, hookTimeout: 30_000, maxWorkers: 3, isolate: false } })
