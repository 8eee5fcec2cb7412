import { defineConfig } from 'vitest/config'

// One process for all files: nothing here keeps anything in a module.
export default defineConfig({ test: { testTimeout: 30_000, isolate: false } })
