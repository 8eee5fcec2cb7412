import { defineConfig } from 'vitest/config'

// Not the copies that a mutation run makes beside it. One process for all files: nothing here keeps anything in a module.
export default defineConfig({ test: { include: ['test/**/*.test.ts'], testTimeout: 30_000, isolate: false } })
