// One process start: every suite, its candidates interleaved round by round, so that what the machine does meanwhile
// meets them all. Prints {suite: {candidate: median ns a call}} as JSON.
import type { BenchSuite } from './suite.js'
import { suites } from './suites/index.js'

const ROUNDS = 40
const ROUND_MS = 12

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Nanoseconds a call, one after another for about ROUND_MS. */
async function round(call: () => Promise<unknown>, calls: number): Promise<number> {
  const begun = process.hrtime.bigint()
  for (let i = 0; i < calls; i++) await call()
  return Number(process.hrtime.bigint() - begun) / calls
}

async function measure({ candidates }: BenchSuite): Promise<Record<string, number>> {
  const plans = []
  for (const { name, call } of candidates) {
    await round(call, 2000) // warm
    const once = await round(call, 1000)
    plans.push({ name, call, calls: Math.max(50, Math.round((ROUND_MS * 1e6) / once)), samples: [] as number[] })
  }
  for (let i = 0; i < ROUNDS; i++) {
    // Another order each time: nobody always runs in the wake of the same neighbour.
    const first = i % plans.length
    for (const plan of [...plans.slice(first), ...plans.slice(0, first)])
      plan.samples.push(await round(plan.call, plan.calls))
  }
  return Object.fromEntries(plans.map(({ name, samples }) => [name, median(samples)]))
}

const wanted = process.argv.slice(2)
const results: Record<string, Record<string, number>> = {}
for (const suite of suites)
  if (wanted.length === 0 || wanted.includes(suite.name)) results[suite.name] = await measure(suite)
process.stdout.write(JSON.stringify(results))
process.exit(0) // breakers and pools would keep it alive
