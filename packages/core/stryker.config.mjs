import { createRequire } from 'node:module'

// `npm run mutate`: which faults in the retry code do the tables alone notice?
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutate.config.ts' },
  // pnpm keeps packages apart: Stryker would look for its plugin beside itself.
  plugins: [createRequire(import.meta.url).resolve('@stryker-mutator/vitest-runner')],
  mutate: ['src/retry/**/*.ts'],
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 20_000,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: '.report/mutation.json' },
  tempDirName: '.stryker-tmp',
}
