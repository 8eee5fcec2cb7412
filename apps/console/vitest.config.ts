import { defineConfig } from 'vitest/config'

// One browser and one gateway for all of a file: both are really started. What is polled for may take its time on a busy machine.
export default defineConfig({
  test: {
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 20_000,
    hookTimeout: 60_000,
    include: ['test/**/*.test.ts'],
  },
})
