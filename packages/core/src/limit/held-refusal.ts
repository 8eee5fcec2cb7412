import { ThrottledError } from '../errors/throttled-error.js'
import type { Hold } from './hold.js'
import type { Waiter } from './waiter.js'

/**
 * What a call is refused with that a hold would keep for longer than its own bounds allow: held time counts as waited (L10).
 * @returns undefined where there is no hold, or the call can wait for its end
 */
export function heldRefusal(hold: Hold, waiter: Waiter, nowMs: number): ThrottledError | undefined {
  if (!hold.isOn(nowMs)) return undefined
  const { maxHeldMs = Number.POSITIVE_INFINITY, endsAtMs = Number.POSITIVE_INFINITY } = waiter.options
  const waitedMs = waiter.heldMs(hold, nowMs)
  const restMs = hold.untilMs - nowMs
  if (hold.untilMs <= endsAtMs && waitedMs + restMs <= maxHeldMs) return undefined
  const retryAfterMs = Math.ceil(restMs)
  return new ThrottledError({ attempts: 0, waitedMs, reason: 'held', retryAfterMs, status: null, headers: null })
}
