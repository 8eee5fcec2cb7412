import type { Recording } from './recording.js'

/** The calls that came in one span. */
export interface Calls {
  readonly count: number
  /** Of calls that succeeded, from when they came, in ms, sorted. */
  readonly tookMs: Float64Array
  /** The same of all tenants but the loud one; where there are no tenants, none. */
  readonly othersTookMs: Float64Array
  /** Calls that waited for a slot and came in a second of `flags`. */
  readonly delayedIn: number
  /** Of each tenant, how many came and how many of those succeeded. */
  readonly wanted: readonly number[]
  readonly got: readonly number[]
}

/** @param flags one a second of the recording */
export function callsOf(
  { arrivedMs, tookMs, ok, delayed, tenant }: Recording,
  [fromMs, toMs]: readonly [number, number],
  flags: Uint8Array,
): Calls {
  const [came, took, succeeded, waited, whose] = [
    ...[arrivedMs.values, tookMs.values, ok.values],
    ...[delayed.values, tenant.values],
  ] as const
  const all = new Float64Array(came.length)
  const others = new Float64Array(whose.some((who) => who > 0) ? came.length : 0)
  const wanted: number[] = []
  const got: number[] = []
  let [count, done, othersDone, delayedIn] = [0, 0, 0, 0]
  for (let at = 0; at < came.length; at++) {
    const ms = came[at] ?? 0
    if (ms < fromMs || ms >= toMs) continue
    const who = whose[at] ?? 0
    count++
    wanted[who] = (wanted[who] ?? 0) + 1
    if (waited[at] === 1 && flags[Math.floor(ms / 1000)] === 1) delayedIn++
    if (succeeded[at] !== 1) continue
    got[who] = (got[who] ?? 0) + 1
    all[done++] = took[at] ?? 0
    if (who > 0) others[othersDone++] = took[at] ?? 0
  }
  return {
    ...{ count, delayedIn, tookMs: all.subarray(0, done).sort(), othersTookMs: others.subarray(0, othersDone).sort() },
    ...{ wanted: Array.from(wanted, (n = 0) => n), got: Array.from(wanted, (_, who) => got[who] ?? 0) },
  }
}
