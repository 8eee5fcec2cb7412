import type { Batch, Candidate } from './suite.js'

const ROUNDS = 40
const ROUND_MS = 12

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Another order each time: nobody always runs in the wake of the same neighbour. */
export const inTurn = <T>(all: readonly T[], round: number): T[] => {
  const first = round % all.length
  return [...all.slice(first), ...all.slice(0, first)]
}

async function timed(work: () => unknown): Promise<number> {
  const begun = process.hrtime.bigint()
  await work()
  return Number(process.hrtime.bigint() - begun)
}

/** Nanoseconds a call, one after another for about ROUND_MS. */
async function round(call: () => Promise<unknown>, calls: number): Promise<number> {
  const ns = await timed(async () => {
    for (let i = 0; i < calls; i++) await call()
  })
  return ns / calls
}

/** Median nanoseconds of one call of each. */
export async function callTimes(candidates: readonly Candidate[]): Promise<Record<string, number>> {
  const plans = []
  for (const { name, call } of candidates) {
    await round(call, 2000) // warm
    const once = await round(call, 1000)
    plans.push({ name, call, calls: Math.max(50, Math.round((ROUND_MS * 1e6) / once)), samples: [] as number[] })
  }
  for (let i = 0; i < ROUNDS; i++)
    for (const plan of inTurn(plans, i)) plan.samples.push(await round(plan.call, plan.calls))
  return Object.fromEntries(plans.map(({ name, samples }) => [name, median(samples)]))
}

/**
 * Median nanoseconds of one unit of each. Garbage is collected when the engine thinks fit, as in an application: a
 * collection forced between rounds throws away compiled code as well.
 */
export async function batchTimes(candidates: readonly Batch[], rounds: number): Promise<Record<string, number>> {
  const plans = candidates.map((batch) => ({ ...batch, samples: [] as number[] }))
  // The first round warms up and does not count.
  for (let i = 0; i <= rounds; i++)
    for (const { prepare, units, samples } of inTurn(plans, i)) {
      const run = await prepare()
      const ns = (await timed(run)) / units
      if (i > 0) samples.push(ns)
    }
  return Object.fromEntries(plans.map(({ name, samples }) => [name, median(samples)]))
}

/** Bytes that what each run returns keeps alive, a unit; typed arrays live outside the heap. */
export async function bytesKept(candidates: readonly Batch[], collect: () => void): Promise<Record<string, number>> {
  const used = (): number => {
    collect()
    collect() // the first one leaves buffers to a thread that frees them meanwhile; the second waits for it
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const bytes: Record<string, number> = {}
  for (const { name, units, prepare } of candidates) {
    await (await prepare())() // what is made once is made now: code, shapes
    const run = await prepare()
    const before = used()
    const kept = [await run()]
    bytes[name] = (used() - before) / units
    kept.length = 0
  }
  return bytes
}
