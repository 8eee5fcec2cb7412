import { defineConfig } from 'vitest/config'

// conformance-script.test.ts makes workspaces with replay tests of their own under .report/: not ours to run.
// One process for all files: to start one for each, and to load everything in it again, cost a quarter of the run.
export default defineConfig({ test: { include: ['test/*.test.ts'], isolate: false } })
