import { systemClock } from '../clock/system-clock.js'
import { failureOf } from '../retry/failure-of.js'
import { outcomeOf } from '../retry/outcome.js'
import { statedWait } from '../retry/stated-wait.js'
import { causes } from './causes.js'

/**
 * The wait that the server stated with the failure behind `error`, wherever in its chain of causes (H5): as this
 * library noted it, or as the `status` and `headers` of an SDK's error say.
 *
 * @param error whatever was thrown
 * @param wallNow epoch ms that dates are compared with where the response has no usable `Date`; default: the system's
 * @returns ms, or null where none was stated or nothing is known of it
 */
export function retryAfterMs(error: unknown, wallNow: number = systemClock.wallNow()): number | null {
  for (const link of causes(error)) {
    const stated = outcomeOf(link)?.retryAfterMs ?? (link as { retryAfterMs?: unknown }).retryAfterMs
    if (typeof stated === 'number') return stated
  }
  const failure = failureOf(error)
  return failure.kind === 'status' ? statedWait(failure.headers, failure.status === 429, wallNow) : null
}
