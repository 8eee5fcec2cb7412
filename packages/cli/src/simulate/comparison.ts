import { type Compared, type Entry, type Interval, intervalOf, pairedDifference } from '@sluice/simulator'

/** What was compared, and how. */
export interface Comparison {
  readonly compared: readonly Compared[]
  readonly seeds: readonly number[]
  readonly tuningSeeds: readonly number[]
  /** The entrant that the others are compared with, by its label; null: none. */
  readonly against: string | null
}

/** An entrant's score less that of the one it is compared with, seed by seed; null: it is that one, or there is none. */
export function differenceOf({ entries }: Compared, entry: Entry, against: string | null): Interval | null {
  const base = entries.find(({ label }) => label === against)
  return base === undefined || base === entry ? null : pairedDifference(entry.score.scores, base.score.scores)
}

/**
 * Mean over the scenarios of each entrant's score, in their order: seed by seed, so that it has an interval too. A scenario
 * whose targets nobody has to meet does not count.
 */
export function overall({ compared, seeds }: Comparison): { label: string; score: Interval }[] {
  const counted = compared.filter(({ scenario }) => !scenario.reportOnly)
  return (compared[0]?.entries ?? []).map(({ label }, at) => {
    const perSeed = seeds.map((_, seed) => {
      const scores = counted.map(({ entries }) => entries[at]?.score.scores[seed] ?? Number.NaN)
      return scores.reduce((sum, score) => sum + score, 0) / scores.length
    })
    return { label, score: intervalOf(perSeed) }
  })
}
