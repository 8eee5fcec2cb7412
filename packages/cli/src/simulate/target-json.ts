import type { ScoredTarget } from '@sluice/simulator'

/** A target and what was reached, flat. */
export const targetJson = ({ target, values, value, met, metSeeds }: ScoredTarget): object => ({
  ...target,
  ...{ value, values, met, metSeeds },
})
