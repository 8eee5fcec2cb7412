/** How fast quota comes back and how much of it may be saved up. */
export interface GcraLimit {
  /** Requests that come back a second; a finite number above 0 (fractions are fine: 0.5 is one every two seconds). */
  readonly ratePerSecond: number
  /** Requests that may be made at once after a rest; a whole number from 1. */
  readonly burst: number
}

/** What is remembered of one caller: two numbers, however many requests it made. */
export interface GcraState {
  /** The theoretical arrival time: when all quota spent so far will have come back. */
  readonly tatMs: number
  /** When the caller was last seen, so that a clock that goes backwards is noticed. */
  readonly seenMs: number
}

/** What became of one request. */
export interface GcraDecision {
  readonly allowed: boolean
  /** Whole requests that could follow at once. */
  readonly remaining: number
  /** Milliseconds until the whole burst is there again. */
  readonly resetMs: number
  /** Milliseconds until the next request would be admitted; 0 when that is now. */
  readonly retryAfterMs: number
  /** Remember this one for the next request. A refused request costs nothing. */
  readonly state: GcraState
}

/** Fractions of a millisecond below this are rounding, not earliness: the stated moment itself must be admitted. */
export const TOLERANCE_MS = 0.001

/**
 * Decides one request by the generic cell rate algorithm, a leaky bucket that needs no timer: each request pushes the
 * theoretical arrival time on by one interval, and is admitted while that stays within the burst.
 *
 * @param state what the last decision returned; undefined for a caller not seen before
 * @param nowMs any clock in milliseconds, as long as it is the same one each time
 */
export function decideGcra(state: GcraState | undefined, nowMs: number, limit: GcraLimit): GcraDecision {
  const intervalMs = 1000 / limit.ratePerSecond
  const burstMs = intervalMs * limit.burst
  const tatMs = Math.max(nowMs, spentUntil(state, nowMs))

  const earliestMs = tatMs + intervalMs - burstMs
  if (earliestMs - nowMs > TOLERANCE_MS) {
    return {
      allowed: false,
      remaining: 0,
      resetMs: tatMs - nowMs,
      retryAfterMs: earliestMs - nowMs,
      state: { tatMs, seenMs: nowMs },
    }
  }

  const nextTatMs = tatMs + intervalMs
  const untilNextMs = nextTatMs + intervalMs - burstMs - nowMs
  return {
    allowed: true,
    remaining: Math.max(0, Math.floor((burstMs - (nextTatMs - nowMs) + TOLERANCE_MS) / intervalMs)),
    resetMs: nextTatMs - nowMs,
    retryAfterMs: untilNextMs > TOLERANCE_MS ? untilNextMs : 0,
    state: { tatMs: nextTatMs, seenMs: nowMs },
  }
}

/** A clock that goes backwards moves the debt along with it: it neither grants quota nor locks a caller out. */
function spentUntil(state: GcraState | undefined, nowMs: number): number {
  if (state === undefined) return nowMs
  return state.tatMs - Math.max(0, state.seenMs - nowMs)
}
