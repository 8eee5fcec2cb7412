import { retryAfterMs as ofError, outcomeOf, statedWait, systemClock } from '@sluice/core'

/**
 * The wait that a server stated: with a failed `Response`, or with the failure behind an error (H5).
 * @returns ms, or null where none was stated
 */
export function retryAfterMs(of: unknown): number | null {
  if (!(of instanceof Response)) return ofError(of)
  const outcome = outcomeOf(of)
  if (outcome) return outcome.retryAfterMs
  return of.status < 400 ? null : statedWait(of.headers, of.status === 429, systemClock.wallNow())
}
