import { defineConfig } from 'vitest/config'

// conformance-script.test.ts makes workspaces with replay tests of their own under .report/: not ours to run.
export default defineConfig({ test: { include: ['test/*.test.ts'] } })
