import { defineConfig } from 'vitest/config'

const heap = ['test/leaks.test.ts'] // measures its process, which is its own

// A call of 2 000 attempts takes its time on a machine that is busy.
// One process for all other files: to start one for each, and to load everything in it again, cost a quarter of the run.
export default defineConfig({
  test: {
    testTimeout: 30_000,
    projects: [
      { extends: true, test: { name: 'all', include: ['test/**/*.test.ts'], exclude: heap, isolate: false } },
      { extends: true, test: { name: 'heap', include: heap } },
    ],
  },
})
