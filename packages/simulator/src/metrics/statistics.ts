import type { Phase } from '../scenario/scenario.js'
import { callsOf } from './calls.js'
import type { Column } from './column.js'
import { evenly, jainIndex } from './fairness.js'
import { falseSeconds, highestSoFar } from './false-seconds.js'
import { deviation, mean, quantile, sum, sumWithin } from './figures.js'
import type { Recording } from './recording.js'
import { longestLowS, overshoot, recoverS, settleS } from './transients.js'

/** What one span of a recording came to. A figure that has nothing to be of is NaN. */
export interface Statistics {
  readonly calls: number
  /** Calls that succeeded, of those that came; who still waited when the world ended did not. */
  readonly okShare: number
  readonly okPerSecond: number
  /** Of calls that succeeded, from when they came. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** The same of all tenants but the loud one. */
  readonly othersP99Ms: number
  /** Jain's index over what tenants got against the most even division of it; 1: as fair as can be. */
  readonly jainIndex: number
  /** Attempts a call. */
  readonly amplification: number
  /** 429s, of all attempts. */
  readonly throttledShare: number
  /** Core-seconds a second that were worked for nobody. */
  readonly wastedCores: number
  /** Of batch jobs that began in it: time taken over time needed. */
  readonly batchSlowdown: number
  readonly meanInside: number
  /** The most that was in the server at the end of a second, over its cores, less 1; 0: never more than cores. */
  readonly overshoot: number
  readonly meanLimit: number
  readonly lowestLimit: number
  /** Standard deviation of the limit over its mean. */
  readonly limitDeviation: number
  /** Seconds on end, at the longest, for which the limit was half of its highest or less. */
  readonly longestLowS: number
  /** Seconds in which the limit was below its highest while the server was less than 80 % busy, of all. */
  readonly falseShare: number
  /** Calls that waited for a slot and came in such a second, of all. */
  readonly falselyDelayedShare: number
  /** Seconds until the limit is, and stays, within 15 % of where it ends up; at most those of the span. */
  readonly settleS: number
  /** Seconds until nobody waits and no more are in the server than it has cores, for ten seconds; at most the span's. */
  readonly recoverS: number
  /** Seconds in which the controller said that it does not know what is ordinary, of all. */
  readonly unknownShare: number
}

/** Reads one span. Calls belong to the span in which they came. */
export function statisticsOf(recording: Recording, { fromS, toS }: Phase): Statistics {
  const span = [fromS * 1000, toS * 1000] as const
  const seconds = toS - fromS
  const of = (column: Column): Float64Array => column.values.subarray(fromS, toS)
  const highest = highestSoFar(recording.limit.values)
  const isFalse = falseSeconds(recording, highest)
  const calls = callsOf(recording, span, isFalse)
  const attempts = sum(of(recording.sent))
  const limit = of(recording.limit)
  const seen = { inside: of(recording.inside), queued: of(recording.queued), cores: of(recording.cores) }
  const { count, tookMs, got, wanted } = calls
  return {
    ...{ calls: count, okShare: tookMs.length / count, okPerSecond: tookMs.length / seconds },
    ...{ p50Ms: quantile(tookMs, 0.5), p99Ms: quantile(tookMs, 0.99), othersP99Ms: quantile(calls.othersTookMs, 0.99) },
    jainIndex: jainIndex(got, evenly(tookMs.length, wanted)),
    amplification: attempts / count,
    throttledShare: sumWithin(recording.throttledAtMs, span) / attempts,
    wastedCores: sumWithin(recording.wastedAtMs, span, recording.wastedWorkMs) / 1000 / seconds,
    batchSlowdown:
      sumWithin(recording.jobStartedMs, span, recording.jobTookMs) /
      sumWithin(recording.jobStartedMs, span, recording.jobWorkMs),
    ...{ meanInside: mean(seen.inside), overshoot: overshoot(seen) },
    ...{ meanLimit: mean(limit), lowestLimit: limit.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY) },
    ...{ limitDeviation: deviation(limit), longestLowS: longestLowS(limit, highest.subarray(fromS, toS)) },
    ...{ falseShare: mean(isFalse.subarray(fromS, toS)), falselyDelayedShare: calls.delayedIn / count },
    ...{ settleS: settleS(limit), recoverS: recoverS(seen), unknownShare: mean(of(recording.unknown)) },
  }
}
