import { defineConfig } from 'vitest/config'

// One browser and one gateway for all of a file: both are really started.
export default defineConfig({ test: { testTimeout: 20_000, hookTimeout: 60_000, include: ['test/**/*.test.ts'] } })
