/** Seeds on which parameters are looked for: 1 to 20. */
export const FIRST_TUNING_SEED = 1

/** Seeds on which results are reported: 1 001 to 1 020, none of which anything was tuned on. */
export const FIRST_REPORT_SEED = 1001

/** How many of each, unless fewer are asked for. */
export const SEEDS = 20

/** So many seeds, one after another. */
export const seedsFrom = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => first + at)
