import type { Phase } from '../scenario/scenario.js'
import type { Column } from './column.js'
import type { Recording } from './recording.js'

/** What one span of a recording came to. A figure that has nothing to be of is NaN. */
export interface Statistics {
  readonly calls: number
  /** Calls that succeeded, of those that came. */
  readonly okShare: number
  readonly okPerSecond: number
  /** Of calls that succeeded, from when they came. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** Attempts a call. */
  readonly amplification: number
  /** 429s, of all attempts. */
  readonly throttledShare: number
  /** Core-seconds a second that were worked for nobody. */
  readonly wastedCores: number
  /** Of batch jobs that began in it: time taken over time needed. */
  readonly batchSlowdown: number
  readonly meanInside: number
  readonly meanLimit: number
  readonly lowestLimit: number
  /** Standard deviation of the limit over its mean. */
  readonly limitDeviation: number
  /** Seconds in which the limit was below its highest while the server was less than 80 % busy, of all. */
  readonly falseShare: number
  /** Calls that waited for a slot and came in such a second, of all. */
  readonly falselyDelayedShare: number
}

const IDLE = 0.8

/** Reads one span. Calls belong to the span in which they came. */
export function statisticsOf(recording: Recording, { fromS, toS }: Phase): Statistics {
  const from = fromS * 1000
  const to = toS * 1000
  const isFalse = falseSeconds(recording)
  const took: number[] = []
  let calls = 0
  let falselyDelayed = 0
  const arrivedMs = recording.arrivedMs.values
  const { tookMs, ok, delayed } = {
    tookMs: recording.tookMs.values,
    ok: recording.ok.values,
    delayed: recording.delayed.values,
  }
  for (let at = 0; at < arrivedMs.length; at++) {
    const arrived = arrivedMs[at] ?? 0
    if (arrived < from || arrived >= to) continue
    calls++
    if (ok[at] === 1) took.push(tookMs[at] ?? 0)
    if (delayed[at] === 1 && isFalse[Math.floor(arrived / 1000)]) falselyDelayed++
  }
  took.sort((a, b) => a - b)
  const within = (column: Column): number =>
    column.values.reduce((n, atMs) => (atMs >= from && atMs < to ? n + 1 : n), 0)
  const attempts = within(recording.sentAtMs)
  const limit = recording.limit.values.subarray(fromS, toS)
  const seconds = toS - fromS
  return {
    calls,
    okShare: took.length / calls,
    okPerSecond: took.length / seconds,
    p50Ms: quantile(took, 0.5),
    p99Ms: quantile(took, 0.99),
    amplification: attempts / calls,
    throttledShare: within(recording.throttledAtMs) / attempts,
    wastedCores: sumWithin(recording.wastedAtMs, recording.wastedWorkMs, from, to) / 1000 / seconds,
    batchSlowdown:
      sumWithin(recording.jobStartedMs, recording.jobTookMs, from, to) /
      sumWithin(recording.jobStartedMs, recording.jobWorkMs, from, to),
    meanInside: mean(recording.inside.values.subarray(fromS, toS)),
    meanLimit: mean(limit),
    lowestLimit: limit.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    limitDeviation: deviation(limit),
    falseShare: mean(Float64Array.from(isFalse.subarray(fromS, toS))),
    falselyDelayedShare: falselyDelayed / calls,
  }
}

/** One flag a second: limited without need. */
function falseSeconds({ limit, busy }: Recording): Uint8Array {
  let highest = 0
  return Uint8Array.from(limit.values, (value, at) => {
    highest = Math.max(highest, value)
    return value < highest && (busy.values[at] ?? 1) < IDLE ? 1 : 0
  })
}

const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length

function deviation(values: Float64Array): number {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2))) / middle
}

/** Nearest rank. */
const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN

function sumWithin(when: Column, what: Column, from: number, to: number): number {
  const values = what.values
  return when.values.reduce((sum, atMs, at) => (atMs >= from && atMs < to ? sum + (values[at] ?? 0) : sum), 0)
}
