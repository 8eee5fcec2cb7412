/**
 * What each would get if the most even division were made of what there was: nobody more than wanted, and what one
 * leaves is divided among the rest (max-min).
 */
export function evenly(total: number, wanted: readonly number[]): number[] {
  const given = wanted.map(() => 0)
  const order = [...wanted.keys()].sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  let left = total
  for (const [before, at] of order.entries()) {
    const share = Math.min(wanted[at] ?? 0, left / (order.length - before))
    given[at] = share
    left -= share
  }
  return given
}

/**
 * The index of fairness of Jain, Chiu and Hawe (DEC-TR-301, 1984) over what each got against what would have been fair:
 * 1 where all got the same part of it, 1/n where one got everything. NaN where nobody got anything.
 */
export function jainIndex(got: readonly number[], fair: readonly number[]): number {
  const parts = got.flatMap((value, at) => ((fair[at] ?? 0) > 0 ? [value / (fair[at] ?? 0)] : []))
  const total = parts.reduce((a, b) => a + b, 0)
  return total ** 2 / (parts.length * parts.reduce((a, b) => a + b * b, 0))
}
