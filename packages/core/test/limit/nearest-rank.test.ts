import fc from 'fast-check'
import { expect, test } from 'vitest'
import { p90 } from '../../src/limit/nearest-rank.js'

const sorted = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.ceil((9 * values.length) / 10) - 1] ?? Number.NaN

test('L3: it is what sorting gives', () => {
  const values = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 500 })
  fc.assert(fc.property(values, (some) => p90(Float64Array.from(some)) === sorted(some)))
})

test('L3: also of few different values, and of every length up to a thousand', () => {
  for (let length = 1; length <= 1000; length++) {
    const values = Array.from({ length }, (_, i) => (i * 7919) % 5)
    expect(p90(Float64Array.from(values))).toBe(sorted(values))
  }
})

test('no order of samples makes it slow', () => {
  const [n, begun] = [10_000, performance.now()]
  const orders: readonly ((i: number) => number)[] = [
    (i) => i,
    (i) => n - i,
    () => 1,
    (i) => (i % 2 === 0 ? i : n - i),
    (i) => Math.min(i, n - i), // an organ pipe: the middle is the greatest
  ]
  for (const order of orders) {
    const values = Array.from({ length: n }, (_, i) => order(i))
    expect(p90(Float64Array.from(values))).toBe(sorted(values))
  }
  expect(performance.now() - begun).toBeLessThan(1000)
})
