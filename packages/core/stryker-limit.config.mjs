import retry from './stryker.config.mjs'

// `npm run mutate:limit`: which faults in the limiter do the tables alone notice? sluice replay's part has no rows.
export default {
  ...retry,
  vitest: { configFile: 'vitest.mutate-limit.config.ts' },
  mutate: ['src/limit/*.ts'],
  jsonReporter: { fileName: '.report/mutation-limit.json' },
}
