import { defineConfig } from 'vitest/config'

// Not the copies that a mutation run makes beside it.
export default defineConfig({ test: { include: ['test/**/*.test.ts'] } })
