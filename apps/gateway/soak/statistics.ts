/** Of numbers in any order, the one that this share of them is not above; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** As a table shows it: `0.83 (0.79 to 0.91)`, the middle one of several runs and where half of them are. */
export function spread(values: readonly number[], digits = 2): string {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => percentile(values, share).toFixed(digits))
  return `${middle} (${low} to ${high})`
}
