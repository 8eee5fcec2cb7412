import { defineConfig } from 'vitest/config'

// Engines and commands are really started here: on a busy machine that takes seconds, most of it waiting. So the times below
// are for what hangs, and assert nothing: beside another suite on two cores half a minute was too short for some.
// Three processes for all files, which wait more than they work: to start one for each, and to load everything in it
// again, cost a quarter of the run.
export default defineConfig({ test: { testTimeout: 120_000, hookTimeout: 120_000, maxWorkers: 3, isolate: false } })
