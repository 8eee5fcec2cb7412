import { expect, test } from 'vitest'
import { SampleWindow } from '../../src/limit/sample-window.js'

/** The latencies 0, 1, 2, … in turn. */
const filled = (count: number): SampleWindow => {
  const window = new SampleWindow()
  for (let i = 0; i < count; i++) window.add(i)
  return window
}

test.each([
  [1, 0],
  [10_000, 8999], // all of them
  [10_001, 9000], // 0, 2, 4, …, 10 000: of 5 001 the one at 4 500
  [20_000, 17_998], // every second: of 10 000 the one at 8 999
  [20_001, 18_000], // 0, 4, …, 20 000: of 5 001 the one at 4 500
  [40_001, 36_000], // every eighth
])('L3: of %i samples in rising order the p90 is %i', (count, expected) => {
  const window = filled(count)
  expect([window.count, window.p90()]).toEqual([count, expected])
})

test('L3: after clear() every sample is kept again', () => {
  const window = filled(50_000)
  window.p90()
  window.clear()
  expect(window.count).toBe(0)
  for (let i = 0; i < 50; i++) window.add(i)
  expect(window.p90()).toBe(44)
})
