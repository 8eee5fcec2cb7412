import { LatencyMonitor, limitOptions, SteppedCeiling } from '@sluice/core'
import { expect, test } from 'vitest'

const options = limitOptions({ minSamples: 1, warmupWindows: 0 })
const monitor = (createdAtMs = 0): LatencyMonitor =>
  new LatencyMonitor(options, createdAtMs, { ceiling: new SteppedCeiling(options) })

test.each([Number.NaN, Number.POSITIVE_INFINITY, -1])('L2: %d is no sample', (latencyMs) => {
  const one = monitor()
  one.record(latencyMs, 0)
  one.settle(10_000)
  expect(one.p90Ms).toBeNull()
})

test('L2: 0 ms is a sample, and against a baseline of 0 there is no ratio', () => {
  const one = monitor()
  one.record(0, 0)
  one.settle(10_000)
  one.record(5, 10_000)
  expect([one.p90Ms, one.baselineMs, one.ratio]).toEqual([0, 0, null])
})

test('L3: the grid holds on a clock with fractions, and far from 0', () => {
  const one = monitor(123_456.7)
  for (let k = 1; k <= 1000; k++) {
    const end = 123_456.7 + k * 10_000
    one.record(k, end - 0.001)
    one.settle(end - 0.0005)
    expect(one.windows).toBe(k - 1)
    one.settle(end)
    expect([one.windows, one.p90Ms]).toEqual([k, k])
  }
})

test('L16: a clock that leaps by a day closes one window, and settling twice is once', () => {
  const one = monitor()
  one.record(100, 0)
  one.record(200, 86_400_000)
  const seen = [one.windows, one.p90Ms, one.smoothedMs]
  one.settle(86_400_000)
  one.settle(86_409_999)
  expect([one.windows, one.p90Ms, one.smoothedMs]).toEqual(seen)
  expect(seen).toEqual([1, 100, 100])
})

test('the baseline can be exchanged', () => {
  const learned: number[] = []
  const baseline = {
    valueMs: 50,
    windows: 99,
    learn: ({ p90Ms }: { p90Ms: number }) => learned.push(p90Ms),
    reset() {},
  }
  const one = new LatencyMonitor(options, 0, { ceiling: new SteppedCeiling(options), baseline })
  one.record(100, 0)
  one.settle(10_000)
  expect([learned, one.ratio]).toEqual([[100], 2])
})
