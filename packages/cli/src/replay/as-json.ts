import type { Replayed } from './replay.js'

/** All of it as one JSON object; times in ms, moments in epoch ms. A share is from 0 to 1. */
export function asJson(file: string, replayed: readonly Replayed[], warnings: readonly string[]): string {
  const replays = replayed.map(({ name, prior, result: { options, ...result } }) => {
    const { maxQueue: _1, queueTimeoutMs: _2, maxHoldMs: _3, shadow: _4, ...thresholds } = options // nothing here waits
    return { name, thresholds: { ...thresholds, expectedP90Ms: prior?.p90Ms ?? null }, ...result }
  })
  return JSON.stringify({ file, warnings, replays })
}
