import { LimitReplay, type LimitReplayOptions, type ReplayWindow } from '@sluice/core/replay'
import { describe, expect, test } from 'vitest'

const DAY = 86_400_000
const NOON = Date.UTC(2026, 0, 1, 12)
const PRIOR = { p90Ms: 100, windows: 31 }
/** By L6: what is summed up here is easily told. What the knee makes of a trace is held to a live one, in replay-live. */
const WINDOWED = { controller: 'windowed' } as const

/** `latencies[i]` fifty times in window i, from noon. */
const replayOf = (latencies: readonly number[], { limit, ...options }: LimitReplayOptions = {}) => {
  const replay = new LimitReplay({ prior: PRIOR, limit: { ...WINDOWED, ...limit }, ...options })
  latencies.forEach((latencyMs, i) => void replay.add({ atMs: NOON + i * 10_000, latencyMs, count: 50 }))
  return replay
}

describe('the whole', () => {
  test('mean limit over time, share of windows, when it backed off and when it was back', () => {
    const slow = replayOf([300, ...Array(60).fill(100)], { limit: { smoothingTimeConstantMs: 1 } }).finish()
    // 26 after the first window, and one back with each: 35 after the tenth, so nine of 61 windows close below it.
    expect(slow.whole).toMatchObject({ windows: 61, countedWindows: 61, throttledWindows: 9, samples: 3050 })
    const lost = [9, 8, 7, 6, 5, 4, 3, 2, 1].reduce((sum, one) => sum + one, 0)
    expect(slow.whole.meanLimit).toBeCloseTo(35 - lost / 61, 9)
    expect(slow.whole).toMatchObject({ throttledShare: 9 / 61, lowestLimit: 26, latencyFalls: 1, throttleFalls: 0 })
    expect(slow.whole).toMatchObject({ highestP90Ms: 300, fromMs: NOON, toMs: NOON + 610_000 })
    expect(slow.whole.p90Ms).toBeCloseTo((300 + 60 * 100) / 61, 9)
    expect(slow.backoffs).toEqual([
      { fromMs: NOON + 10_000, untilMs: NOON + 100_000, lowestLimit: 26, latency: true, throttle: false, asks: [] },
    ])
  })

  test('a throttle halves for two seconds and comes back one a second, between windows too', () => {
    const replay = new LimitReplay({ originMs: 0, limit: { maxConcurrent: 4 } })
    replay.add({ atMs: 1000, latencyMs: Number.NaN, status: 429, count: 3 })
    replay.add({ atMs: 10_000, latencyMs: 5 })
    const { whole, backoffs } = replay.finish()
    expect(backoffs).toEqual([
      { fromMs: 1000, untilMs: 4000, lowestLimit: 2, latency: false, throttle: true, asks: [] },
    ])
    expect(whole.meanLimit).toBeCloseTo((4 * 20 - 2 * 2 - 1) / 20, 9)
    expect(whole).toMatchObject({ throttles: 3, throttleFalls: 1, samples: 1, throttledWindows: 0, windows: 2 })
  })

  test('what is not back at the end says so', () => {
    expect(replayOf([300]).finish().backoffs).toMatchObject([{ untilMs: null, lowestLimit: 26 }])
  })

  test('failures and what is no latency are no samples; timeouts are', () => {
    const replay = new LimitReplay()
    for (const status of [0, 199, 400, 404, 500, 503]) replay.add({ atMs: 0, latencyMs: 1, status })
    for (const latencyMs of [-1, Number.NaN, Number.POSITIVE_INFINITY]) replay.add({ atMs: 0, latencyMs })
    for (const status of [200, 304, null, undefined]) replay.add({ atMs: 0, latencyMs: 1, status })
    replay.add({ atMs: 0, latencyMs: 1, status: 504, timeout: true, count: 2 })
    replay.add({ atMs: 0, latencyMs: 1, count: 0 })
    const { whole, mostSamples } = replay.finish()
    expect(whole).toMatchObject({ samples: 6, failures: 6, throttles: 0, countedWindows: 0, windows: 1, p90Ms: null })
    expect(mostSamples).toBe(6)
  })

  test('nothing at all', () => {
    expect(new LimitReplay().finish()).toMatchObject({ periods: [], points: [], whole: { windows: 0, meanLimit: 35 } })
  })

  test('time that runs backwards is refused, and so is what was before the origin', () => {
    const replay = replayOf([100, 100])
    expect(() => replay.add({ atMs: NOON, latencyMs: 1 })).toThrow(RangeError)
    expect(() => new LimitReplay({ originMs: 5 }).add({ atMs: 4, latencyMs: 1 })).toThrow('4 is before 5')
    expect(() => new LimitReplay({ limit: { floor: 99 } })).toThrow('LimitReplay: floor must be')
  })
})

describe('asking whether it is us (L21)', () => {
  const KNEE = { limit: { controller: 'knee', smoothingTimeConstantMs: 1, smoothingSamples: 0 } } as const
  const LOW = { fromMs: NOON + 10_000, lowestLimit: 17, latency: true, throttle: false }
  /** Slow from the first window on: six are pinned, and the ceiling is open for the three after the seventh. */
  const asked = (open: readonly number[], after: readonly number[] = []) =>
    replayOf([...Array<number>(7).fill(300), ...open, ...after], KNEE).finish()

  test('opened to ask is not back: where it is us the limit falls on, and it is one and the same back-off', () => {
    const { backoffs, backoffsInAll, asksInAll, whole } = asked([300, 400, 400], [300, ...Array<number>(40).fill(100)])
    expect(backoffs).toMatchObject([
      { ...LOW, asks: [{ fromMs: NOON + 70_000, untilMs: NOON + 100_000, accepted: false }] },
    ])
    expect([backoffsInAll, asksInAll, whole.acceptances, whole.latencyFalls]).toEqual([1, 1, 0, 2])
    expect(backoffs[0]?.untilMs).toBeGreaterThan(NOON + 110_000)
  })

  test('where it is not, the back-off ends with the answer and not with the question', () => {
    const { backoffs, asksInAll, whole } = asked([300, 300, 300], [300])
    expect(backoffs).toEqual([
      {
        ...LOW,
        untilMs: NOON + 100_000,
        asks: [{ fromMs: NOON + 70_000, untilMs: NOON + 100_000, accepted: true }],
      },
    ])
    expect([asksInAll, whole.acceptances]).toEqual([1, 1])
  })

  test('where the trace ends meanwhile, nobody knows', () => {
    expect(asked([300]).backoffs).toEqual([
      { ...LOW, untilMs: null, asks: [{ fromMs: NOON + 70_000, untilMs: null, accepted: null }] },
    ])
  })

  test('a throttle meanwhile takes from the limit, and does not end the question', () => {
    const replay = replayOf([...Array<number>(7).fill(300), 300], KNEE)
    replay.add({ atMs: NOON + 75_000, latencyMs: 1, status: 429 })
    replay.add({ atMs: NOON + 95_000, latencyMs: 300, count: 50 })
    expect(replay.finish().backoffs).toEqual([
      {
        ...{ ...LOW, throttle: true, untilMs: null },
        asks: [{ fromMs: NOON + 70_000, untilMs: NOON + 80_000, accepted: false }],
      },
    ])
  })
})

describe('periods', () => {
  test('by name: each has its time and its windows, and a name that comes again goes on', () => {
    const replay = new LimitReplay({ prior: PRIOR, limit: { ...WINDOWED, smoothingTimeConstantMs: 1 } })
    const add = (i: number, latencyMs: number, period: string) =>
      replay.add({ atMs: i * 10_000, latencyMs, count: 50, period })
    add(0, 100, 'before')
    add(1, 300, 'surge')
    add(2, 300, 'surge')
    add(3, 100, 'before')
    const { periods, whole } = replay.finish()
    expect(periods).toMatchObject([
      { period: 'before', windows: 2, throttledWindows: 1, meanLimit: (35 + 19) / 2, lowestLimit: 19, samples: 100 },
      { period: 'surge', windows: 2, throttledWindows: 2, meanLimit: (35 + 26) / 2, latencyFalls: 2, p90Ms: 300 },
    ])
    expect(whole.meanLimit).toBe((35 + 35 + 26 + 19) / 4)
  })

  test('by the clock: on the grid of epoch time, and time without a sample is no period’s', () => {
    const replay = new LimitReplay({ prior: PRIOR, limit: WINDOWED, periodMs: DAY })
    replay.add({ atMs: NOON, latencyMs: 300, count: 50 })
    replay.add({ atMs: NOON + 3 * DAY, latencyMs: 300, count: 50 })
    const { periods, whole } = replay.finish()
    expect(periods.map(({ period, fromMs, toMs }) => [period, fromMs, toMs])).toEqual([
      ['2026-01-01T00:00:00.000Z', NOON, NOON + DAY / 2],
      ['2026-01-04T00:00:00.000Z', NOON + 2.5 * DAY, NOON + 3 * DAY + 10_000],
    ])
    expect(periods[0]?.meanLimit).toBeCloseTo(26 + 9 * (10_000 / (DAY / 2)), 9)
    // L8: three days later, twice as slow and more is taken for lasting.
    expect(whole).toMatchObject({ lowestLimit: 26, latencyFalls: 1 })
  })

  test('a window that closes after its period is still of it', () => {
    const replay = new LimitReplay({ prior: PRIOR, limit: WINDOWED, periodMs: DAY, originMs: NOON - 5000 })
    replay.add({ atMs: NOON + DAY / 2 - 1, latencyMs: 300, count: 50 })
    replay.add({ atMs: NOON + DAY, latencyMs: 100, count: 50 })
    expect(replay.finish().periods).toMatchObject([
      { windows: 1, highestP90Ms: 300, latencyFalls: 1 },
      { windows: 1, highestP90Ms: 100 },
    ])
  })

  test('there are not as many as there are requests', () => {
    const replay = new LimitReplay()
    for (let i = 0; i < 10_000; i++) replay.add({ atMs: i, latencyMs: 1, period: `${i}` })
    expect(() => replay.add({ atMs: 10_000, latencyMs: 1, period: 'one more' })).toThrow('more than 10000 periods')
  })
})

describe('windows', () => {
  test('each is told as it closes; those that nothing ended in are passed over', () => {
    const seen: ReplayWindow[] = []
    const replay = new LimitReplay({ prior: PRIOR, limit: WINDOWED, onWindow: (window) => void seen.push(window) })
    replay.add({ atMs: 0, latencyMs: 300, count: 50 })
    replay.add({ atMs: 10 * 365 * DAY + 9999, latencyMs: 300, count: 49 })
    replay.finish()
    expect(seen).toMatchObject([
      { index: 0, endMs: 10_000, samples: 50, counted: true, p90Ms: 300, limit: 26 },
      { index: 31_536_000, samples: 49, counted: false, p90Ms: null, limit: 26 },
    ])
  })

  test('a picture has bounded points: neighbours are merged, and nothing of them is lost', () => {
    const latencies = Array.from({ length: 1000 }, (_, i) => (i < 500 ? 100 : 300))
    const { points, windowsPerPoint, whole, originMs } = replayOf(latencies, { mostPoints: 100 }).finish()
    expect([points.length, windowsPerPoint, originMs]).toEqual([63, 16, NOON])
    expect(points.reduce((sum, point) => sum + point.windows, 0)).toBe(1000)
    expect(points[0]).toMatchObject({ fromMs: NOON, toMs: NOON + 160_000, p90Ms: 100, limit: 35, windows: 16 })
    expect(points.at(-1)).toMatchObject({ windows: 8, p90Ms: 300, limit: 17, highestP90Ms: 300 })
    const mean = points.reduce((sum, { p90Ms, windows }) => sum + (p90Ms ?? 0) * windows, 0) / 1000
    expect(mean).toBeCloseTo(whole.p90Ms ?? 0, 9)
  })
})
