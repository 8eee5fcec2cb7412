// One process start: every suite, its candidates interleaved round by round, so that what the machine does meanwhile
// meets them all. Prints {suite: {candidate: median ns a call, or bytes}} as JSON. Needs --expose-gc.
import { batchTimes, bytesKept, callTimes } from './rounds.js'
import type { BenchSuite } from './suite.js'
import { suites } from './suites/index.js'
import { atSize } from './summary.js'

const collect = (): void => {
  if (!globalThis.gc) throw new Error('run it with node --expose-gc')
  globalThis.gc()
}

async function measure(suite: BenchSuite): Promise<Record<string, number>> {
  switch (suite.kind) {
    case 'calls':
      return callTimes(suite.candidates)
    case 'memory':
      return bytesKept(suite.candidates, collect)
    case 'growth':
      return batchTimes(
        suite.sizes.flatMap((size) =>
          suite.candidates(size).map((batch) => ({ ...batch, name: atSize(batch.name, size) })),
        ),
        suite.rounds,
      )
    default:
      return batchTimes(suite.candidates, suite.rounds)
  }
}

const wanted = process.argv.slice(2)
const results: Record<string, Record<string, number>> = {}
for (const suite of suites)
  if (wanted.length === 0 || wanted.includes(suite.name)) results[suite.name] = await measure(suite)
process.stdout.write(JSON.stringify(results))
process.exit(0) // breakers and pools would keep it alive
