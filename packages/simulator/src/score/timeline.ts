import type { Recording } from '../metrics/recording.js'

/** A stretch of a recording, for a picture: means over its seconds. null: there was nothing to be a figure of. */
export interface TimelinePoint {
  readonly fromMs: number
  readonly toMs: number
  readonly limit: number
  readonly inFlight: number
  readonly queued: number
  /** In the server, batch jobs not counted. */
  readonly inside: number
  /** Of the calls that came in it and succeeded, the wait for a slot included. */
  readonly p90Ms: number | null
  /** Of the batch jobs that began in it: time taken over time needed. */
  readonly batchSlowdown: number | null
}

/** @param most stretches at most; each is a whole number of seconds */
export function timelineOf(recording: Recording, durationS: number, most: number): TimelinePoint[] {
  const widthS = Math.max(1, Math.ceil(durationS / most))
  const count = Math.ceil(durationS / widthS)
  const took = bucketed(recording.arrivedMs.values, recording.tookMs.values, widthS, count, recording.ok.values)
  const jobs = bucketed(recording.jobStartedMs.values, recording.jobTookMs.values, widthS, count)
  const work = bucketed(recording.jobStartedMs.values, recording.jobWorkMs.values, widthS, count)
  return Array.from({ length: count }, (_, at) => {
    const fromS = at * widthS
    const toS = Math.min(durationS, fromS + widthS)
    const mean = (values: Float64Array): number => sum(values.subarray(fromS, toS)) / (toS - fromS)
    const sorted = (took[at] ?? []).sort((a, b) => a - b)
    return {
      ...{
        fromMs: fromS * 1000,
        toMs: toS * 1000,
        limit: mean(recording.limit.values),
        inFlight: mean(recording.inFlight.values),
      },
      ...{ queued: mean(recording.queued.values), inside: mean(recording.inside.values) },
      p90Ms: sorted[Math.ceil(0.9 * sorted.length) - 1] ?? null,
      batchSlowdown: jobs[at]?.length ? sum(jobs[at] ?? []) / sum(work[at] ?? []) : null,
    }
  })
}

/** Values by the stretch that their moment is in; those whose flag is 0 are left out. */
function bucketed(
  atMs: Float64Array,
  values: Float64Array,
  widthS: number,
  count: number,
  flags?: Float64Array,
): number[][] {
  const buckets: number[][] = Array.from({ length: count }, () => [])
  for (const [at, ms] of atMs.entries())
    if (flags?.[at] !== 0) buckets[Math.floor(ms / 1000 / widthS)]?.push(values[at] ?? Number.NaN)
  return buckets
}

const sum = (values: Iterable<number>): number => {
  let total = 0
  for (const value of values) total += value
  return total
}
