/** Fractions of a millisecond below this are rounding, not earliness: the stated moment itself must be admitted. */
export const TOLERANCE_MS = 0.001

/**
 * A wait as `Retry-After` states it: whole seconds, rounded up and never 0, so that nobody is told to come back too
 * early (I3, I5).
 *
 * @param ms milliseconds, at least 0
 */
export function retryAfterSeconds(ms: number): number {
  return Math.max(1, Math.ceil((ms - TOLERANCE_MS) / 1000))
}
