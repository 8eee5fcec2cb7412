import type { Column } from './column.js'

type Numbers = Float64Array | Uint8Array

export function sum(values: Numbers): number {
  let total = 0
  for (let at = 0; at < values.length; at++) total += values[at] ?? 0
  return total
}

/** NaN of none. */
export const mean = (values: Numbers): number => sum(values) / values.length

/** Standard deviation over the mean. */
export function deviation(values: Float64Array): number {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2))) / middle
}

/** Nearest rank; NaN of none. */
export const quantile = (sorted: Float64Array, q: number): number =>
  sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN

/** The sum of what happened from one moment until before another; of ones where there is no `what`. */
export function sumWithin(when: Column, [fromMs, toMs]: readonly [number, number], what?: Column): number {
  const moments = when.values
  const values = what?.values
  let total = 0
  for (let at = 0; at < moments.length; at++) {
    const ms = moments[at] ?? 0
    if (ms >= fromMs && ms < toMs) total += values ? (values[at] ?? 0) : 1
  }
  return total
}
