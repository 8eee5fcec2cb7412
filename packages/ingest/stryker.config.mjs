// `npm run mutate:ingest`: which faults in the state machines do the tables alone notice? The pipeline and the spool have
// no rows.
export default {
  testRunner: 'command',
  commandRunner: { command: 'node test/mutation/rows.mjs' },
  mutate: ['src/{breaker,limit,quota,gather,route,bounds}/*.ts'],
  concurrency: 1,
  timeoutMS: 10_000,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: '.report/mutation.json' },
  tempDirName: '.stryker-tmp',
}
