import { AdaptiveLimit, type LatencyCeiling, type LimitEventType, type LimitWindow, limitOptions } from '@sluice/core'
import { expect, test } from 'vitest'

const options = limitOptions({ controller: 'windowed', minSamples: 1, warmupWindows: 0, smoothingTimeConstantMs: 1 })
const SLOW = { kind: 'success', latencyMs: 300 } as const

test('L16: a report takes first what was due before it', () => {
  const limit = new AdaptiveLimit(options, { createdAtMs: 0, prior: { p90Ms: 100, windows: 100 } })
  limit.report(SLOW, 0)
  // The window is closed as of 10 000, so that the throttle halves 26 and not 35.
  limit.report({ kind: 'throttle', retryAfterMs: null }, 10_000)
  expect(limit.snapshot(10_000)).toMatchObject({ latencyCeiling: 26, throttleCeiling: 13, limit: 13 })
  limit.settle(100_000)
  expect(limit.snapshot(100_000)).toMatchObject({ throttleCeiling: 35, limit: 26 })
})

test('L8: a reset takes first what was due, and tells the recovery', () => {
  const told: LimitEventType[] = []
  const emit = (type: LimitEventType): void => void told.push(type)
  const limit = new AdaptiveLimit(options, { createdAtMs: 0, prior: { p90Ms: 100, windows: 100 }, emit })
  limit.report(SLOW, 0)
  limit.resetBaseline(10_000)
  expect(limit.snapshot(10_000)).toMatchObject({ baselineMs: 300, ratio: 1, limit: 35 })
  expect(told).toEqual(['latency_backoff', 'latency_recovery'])
})

test('both ceilings and the baseline can be exchanged', () => {
  const seen: LimitWindow[] = []
  const ceiling: LatencyCeiling = {
    value: 7,
    belowMaxSinceMs: null,
    windowClosed(window) {
      seen.push(window)
      return null
    },
    reset() {},
  }
  const baseline = { valueMs: 100, windows: 9, learn() {}, reset() {} }
  const parts = { latencyCeiling: () => ceiling, baseline: () => baseline }
  const limit = new AdaptiveLimit(options, { createdAtMs: 0, parts })
  limit.report(SLOW, 0, 5, 40)
  limit.settle(10_000)
  expect(seen).toEqual([
    {
      ratio: 3,
      baselineMs: 100,
      throttled: false,
      p90Ms: 300,
      timedOut: 0,
      atMs: 10_000,
      weight: 1,
      inFlight: 5,
      waitedMs: 40,
    },
  ])
  expect(limit.limit).toBe(7)
})
