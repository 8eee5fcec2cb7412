// `npm run mutate:limit`: which faults in the limiter do the tables alone notice? sluice replay's part has no rows.
export default {
  testRunner: 'command',
  commandRunner: { command: 'node test/mutation/limit-rows.mjs' },
  mutate: ['src/limit/*.ts'],
  concurrency: 2,
  timeoutMS: 20_000,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: '.report/mutation-limit.json' },
  tempDirName: '.stryker-tmp',
}
