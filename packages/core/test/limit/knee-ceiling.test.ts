import { AdaptiveLimit, KneeCeiling, type LimitWindow, limitOptions } from '@sluice/core'
import { expect, test } from 'vitest'

const options = limitOptions({ controller: 'knee' })
const window = (given: Partial<LimitWindow>): LimitWindow => ({
  ...{
    ratio: 1,
    baselineMs: 100,
    p90Ms: 100,
    timedOut: 0,
    atMs: 0,
    weight: 1,
    inFlight: 10,
    waitedMs: 0,
    throttled: false,
  },
  ...given,
})
/** The ceiling's values, window by window. */
const values = (ceiling: KneeCeiling, windows: readonly Partial<LimitWindow>[]): number[] =>
  windows.map((it) => {
    ceiling.windowClosed(window(it))
    return ceiling.value
  })
const times = <T>(n: number, it: T): T[] => Array.from({ length: n }, () => it)

test('L18: it falls to what was in flight where latency was 1.15 of the baseline', () => {
  const slow = { ratio: 1.5, inFlight: 30 }
  expect(values(new KneeCeiling(options), [{ ratio: 1.2, inFlight: 30 }, slow, { ratio: 1.1 }, slow])).toEqual([
    35, 23, 23, 23,
  ])
})

test('L18: no lower than its floor, and back in steps that grow', () => {
  const ceiling = new KneeCeiling(options)
  expect(values(ceiling, [{ ratio: 3, inFlight: 30 }, ...times(13, {})])).toEqual([
    17, 17, 17, 18, 19, 20, 22, 24, 26, 29, 32, 35, 35, 35,
  ])
})

test('L19: while callers wait for longer than an attempt takes, the backend bears more, for two minutes', () => {
  const ceiling = new KneeCeiling(options)
  const waiting = { ratio: 1.5, inFlight: 20, waitedMs: 101 }
  expect(values(ceiling, [{ ratio: 1.5, inFlight: 26 }, ...times(4, waiting)])).toEqual([19, 21, 24, 27, 31])
  values(ceiling, times(7, waiting))
  expect([ceiling.value, ceiling.isShedding]).toEqual([35, false])
  values(ceiling, [waiting])
  expect([ceiling.isShedding, ceiling.patienceMs(100)]).toEqual([true, 30])
})

test('L19: not where the backend is twice as slow as ever', () => {
  expect(values(new KneeCeiling(options), [{ ratio: 2, inFlight: 34, waitedMs: 500 }])).toEqual([19])
})

test('L20: shedding ends once what was owed is paid back to nine tenths', () => {
  const ceiling = new KneeCeiling(options)
  values(ceiling, times(12, { ratio: 1.5, waitedMs: 101 }))
  expect(ceiling.isShedding).toBe(true)
  values(ceiling, times(5, { ratio: 1.15, waitedMs: 15 })) // 12.5 of 120 s are paid back
  expect(ceiling.isShedding).toBe(false)
})

const slow = { ratio: 3, inFlight: 17, p90Ms: 300 }

test('L21: limited, and no slower for three windows of the whole limit: it is not the load', () => {
  const ceiling = new KneeCeiling(options)
  expect(values(ceiling, [{ ratio: 3, inFlight: 30 }, ...times(8, slow)])).toEqual([17, 17, 17, 17, 17, 17, 35, 35, 35])
  expect(ceiling.windowClosed(window({ ...slow, p90Ms: 320 }))).toBe(310) // the mean of the last two
  expect([ceiling.value, ceiling.belowMaxSinceMs]).toEqual([35, null])
})

test('L21: slower with more in flight: it is, and the floor stays for ten minutes', () => {
  const ceiling = new KneeCeiling(options)
  values(ceiling, [{ ratio: 3, inFlight: 30 }, ...times(6, slow)])
  values(ceiling, times(2, { ratio: 3, inFlight: 35, p90Ms: 345 }))
  expect(ceiling.windowClosed(window({ ratio: 3, inFlight: 35, p90Ms: 345 }))).toBe(null)
  expect(values(ceiling, times(59, slow)).every((value) => value === 17)).toBe(true)
})

test('L21: all six windows are compared, and one that is itself fast again begins the count anew', () => {
  const ceiling = new KneeCeiling(options)
  const fast = { ...slow, p90Ms: 120 }
  expect(values(ceiling, [{ ratio: 3, inFlight: 30 }, ...times(5, slow), fast, ...times(5, slow)]).at(-1)).toBe(17)
  values(ceiling, [{ ...slow, p90Ms: 240 }]) // a mean of 290
  values(ceiling, times(2, { ratio: 3, p90Ms: 334 }))
  expect(ceiling.windowClosed(window({ ratio: 3, p90Ms: 334 }))).toBe(null)
})

test('L21: where nobody could answer it is not asked', () => {
  expect(values(new KneeCeiling(options, false), [{ ratio: 3, inFlight: 30 }, ...times(12, slow)]).at(-1)).toBe(17)
})

test('L21: so near to its maximum that opening it would tell nothing, it stays', () => {
  const near = new KneeCeiling(limitOptions({ controller: 'knee', floor: 27 }))
  expect(values(near, times(12, slow)).every((value) => value === 27)).toBe(true)
})

test('L21: limited, but not half as slow again: there is nothing to doubt', () => {
  const ceiling = new KneeCeiling(options)
  values(ceiling, [{ ratio: 3, inFlight: 30 }])
  expect(values(ceiling, times(12, { ratio: 1.5, inFlight: 17 })).every((value) => value === 17)).toBe(true)
})

test('L21: timeouts say what it is slow of, and a floor at the maximum leaves nothing to try', () => {
  const stuck = new KneeCeiling(options)
  const timedOut = { ratio: 6, inFlight: 17, p90Ms: 5000, timedOut: 0.5 }
  expect(values(stuck, times(12, timedOut)).every((value) => value === 17)).toBe(true)
  const one = new KneeCeiling(limitOptions({ controller: 'knee', maxConcurrent: 1 }))
  expect(times(12, slow).some((it) => one.windowClosed(window(it)) !== null)).toBe(false)
})

test('L21: what was accepted as the ordinary is forgotten once the backend is fast again', () => {
  const limit = new AdaptiveLimit(options, { createdAtMs: 0, prior: { p90Ms: 100, windows: 100 } })
  let nowMs = 0
  const play = (latencyMs: number, windows: number): void => {
    for (let i = 0; i < windows; i++, nowMs += 10_000)
      for (let n = 0; n < 1200; n++) limit.report({ kind: 'success', latencyMs }, nowMs, 17)
    limit.settle(nowMs)
  }
  play(300, 40)
  expect(limit.snapshot(nowMs)).toMatchObject({ limit: 35, baselineMs: expect.closeTo(300, 0) })
  play(100, 40) // one slow window was learned from, before the ceiling fell
  expect(limit.snapshot(nowMs)).toMatchObject({ limit: 35, baselineMs: expect.closeTo(102, 0) })
})
