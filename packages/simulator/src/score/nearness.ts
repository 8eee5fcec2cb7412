import type { Target } from '../scenario/scenario.js'

/**
 * How near a value came to its target, from 0 to 1: 1 where the target is met, else bound / value for a maximum and
 * value / bound for a minimum; of a target with both, the smaller. A maximum of 0 is met or missed: nothing is near to it.
 * A statistic that has nothing to be of (NaN) comes near to nothing.
 */
export function nearness({ min, max }: Pick<Target, 'min' | 'max'>, value: number): number {
  if (Number.isNaN(value)) return 0
  const below = max === undefined || value <= max ? 1 : within(max / value)
  const above = min === undefined || value >= min ? 1 : within(value / min)
  return Math.min(below, above)
}

const within = (share: number): number => Math.max(0, Math.min(1, share))
