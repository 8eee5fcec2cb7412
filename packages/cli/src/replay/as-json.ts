import type { RecordedLimiter } from './recorded-limiter.js'
import type { Replayed } from './replay-trace.js'

/** All of it as one JSON object; times in ms, moments in epoch ms. A share is from 0 to 1. */
export function asJson(
  file: string,
  replayed: readonly Replayed[],
  warnings: readonly string[],
  recorded: RecordedLimiter | null,
): string {
  const replays = replayed.map(({ name, prior, result: { options, ...result } }) => {
    const { maxQueue: _1, queueTimeoutMs: _2, shadow: _3, ...thresholds } = options // nothing here waits
    return { name, thresholds: { ...thresholds, expectedP90Ms: prior?.p90Ms ?? null }, ...result }
  })
  return JSON.stringify({ file, recorded: recorded !== null, warnings, replays })
}
