import { studentQuantile } from './student.js'

/** A mean over seeds, and how far it may be from the true one. */
export interface Interval {
  readonly mean: number
  /** Half of the 95 % interval: mean ± half (Student's t). null: of one value nothing can be said. */
  readonly half: number | null
}

/** @param values one for each seed, at least one; a NaN among them makes the mean NaN */
export function intervalOf(values: readonly number[]): Interval {
  const count = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  if (count < 2) return { mean, half: null }
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1)
  return { mean, half: studentQuantile(count - 1) * Math.sqrt(variance / count) }
}

/**
 * The mean of the differences, seed by seed: two controllers that meet the same arrivals differ by less than each of them
 * varies, so this tells more than two intervals beside each other.
 *
 * @throws RangeError where there is not one value of each for each seed
 */
export function pairedDifference(values: readonly number[], others: readonly number[]): Interval {
  if (values.length !== others.length)
    throw new RangeError(`pairedDifference: ${values.length} values and ${others.length}; play the same seeds`)
  return intervalOf(values.map((value, at) => value - (others[at] ?? Number.NaN)))
}
