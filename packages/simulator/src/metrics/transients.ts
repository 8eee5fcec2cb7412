/** Further than this part from where it ends up, a limit has not settled. */
const BAND = 0.15
/** For how many seconds on end all must be well. */
const WELL_S = 10

/**
 * Seconds until a limit comes to where it stays: to within 15 % of its mean over the second half of the span. A limit that
 * never does takes the whole span.
 */
export function settleS(limit: Float64Array): number {
  const late = limit.subarray(Math.floor(limit.length / 2))
  const middle = late.reduce((sum, value) => sum + value, 0) / late.length
  for (let at = limit.length; at > 0; at--) if (Math.abs((limit[at - 1] ?? middle) - middle) > BAND * middle) return at
  return 0
}

/** What is seen of a server and its callers, a value a second. */
interface Seen {
  readonly inside: Float64Array
  readonly queued: Float64Array
  readonly cores: Float64Array
}

/**
 * Seconds until, for ten seconds on end, nobody waits for a slot and the server has no more in it than it has cores.
 * If that never comes, the whole span.
 */
export function recoverS({ inside, queued, cores }: Seen): number {
  let well = 0
  for (let at = 0; at < inside.length; at++) {
    const isWell = queued[at] === 0 && (inside[at] ?? 0) <= (cores[at] ?? 0)
    well = isWell ? well + 1 : 0
    if (well === WELL_S) return at + 1 - WELL_S
  }
  return inside.length
}

/** How far the most that was ever in the server is above its cores, as a part of them; 0: it never was. */
export function overshoot({ inside, cores }: Pick<Seen, 'inside' | 'cores'>): number {
  let most = 0
  for (let at = 0; at < inside.length; at++) {
    const there = cores[at] ?? 0
    if (there > 0) most = Math.max(most, (inside[at] ?? 0) / there - 1)
  }
  return most
}

/** The longest time on end, in s, for which a limit was half of its highest or less. @param highest until each second */
export function longestLowS(limit: Float64Array, highest: Float64Array): number {
  let longest = 0
  let low = 0
  for (let at = 0; at < limit.length; at++) {
    low = (limit[at] ?? 0) <= (highest[at] ?? 0) / 2 ? low + 1 : 0
    longest = Math.max(longest, low)
  }
  return longest
}
