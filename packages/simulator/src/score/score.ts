import type { Scenario, Target } from '../scenario/scenario.js'
import { type Interval, intervalOf } from './interval.js'
import { nearness } from './nearness.js'

/** What was reached of one target. */
export interface ScoredTarget {
  readonly target: Target
  /** One for each seed, in their order. */
  readonly values: readonly number[]
  readonly value: Interval
  /** Whether the mean over the seeds meets it. */
  readonly met: boolean
  /** In how many of the seeds it was met. */
  readonly metSeeds: number
}

/** What one controller reached in one scenario. */
export interface Score {
  readonly targets: readonly ScoredTarget[]
  /** One for each seed: the mean of {@link nearness} over the targets. */
  readonly scores: readonly number[]
  readonly score: Interval
}

/**
 * The score of a scenario: the mean over its targets of min(1, how near), for each seed, and the mean of those. 1: every
 * target is met with every seed. A scenario without a target has nothing to miss, and a score of 1.
 *
 * @param values for each seed the values of the targets, in their order
 */
export function scoreOf(scenario: Scenario, values: readonly (readonly number[])[]): Score {
  const targets = scenario.targets.map((target, at) => {
    const own = values.map((ofSeed) => ofSeed[at] ?? Number.NaN)
    const value = intervalOf(own)
    const met = nearness(target, value.mean) === 1
    return { target, values: own, value, met, metSeeds: own.filter((it) => nearness(target, it) === 1).length }
  })
  const scores = values.map((ofSeed) => {
    const near = scenario.targets.map((target, at) => nearness(target, ofSeed[at] ?? Number.NaN))
    return near.length === 0 ? 1 : near.reduce((sum, it) => sum + it, 0) / near.length
  })
  return { targets, scores, score: intervalOf(scores) }
}
