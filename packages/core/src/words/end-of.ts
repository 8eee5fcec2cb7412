import { isDeadline } from '../errors/deadline-error.js'
import { isThrottled } from '../errors/throttled-error.js'
import type { GiveUpEvent } from '../retry/options.js'
import { outcomeOf } from '../retry/outcome.js'
import { causeOf } from './cause-of.js'
import type { End } from './end.js'

/** What a status is called at the end, by what kind of trouble it was. */
const KINDS = { throttle: 'throttled', transient: 'transient', final: 'status' } as const

/** The end of a call that an answer ended. @param gaveUp what its `onGiveUp` was told */
export function endOfResponse(response: Response, gaveUp: GiveUpEvent | undefined, deadlineMs: number | null): End {
  const { status } = response
  const { attempts = 1, waitedMs = 0, reason = null, retryAfterMs = null } = outcomeOf(response) ?? {}
  const kind = status < 400 ? 'ok' : KINDS[gaveUp?.class ?? 'final']
  const told = { status, retryAfterMs, attempts, waitedMs, reason, deadlineMs }
  return { kind, failure: null, cause: null, title: null, ...told }
}

/**
 * The end of a call that an error ended.
 * @param gaveUp what its `onGiveUp` was told
 * @param status the last status that was received
 * @param signal the caller's: its own reason means that the call was aborted (R11)
 */
export function endOfError(
  error: unknown,
  gaveUp: GiveUpEvent,
  { status, deadlineMs, signal }: { status: number | null; deadlineMs: number | null; signal: AbortSignal },
): End {
  const { attempts, waitedMs, reason, retryAfterMs, failure } = gaveUp
  const told = { status, retryAfterMs, attempts, waitedMs, reason, deadlineMs, cause: null, title: null }
  if (signal.aborted && error === signal.reason) return { ...told, kind: 'aborted', failure: null }
  // S1: a give-up on any bound whose last failure was a throttle counts as throttled.
  if (isDeadline(error)) return { ...told, kind: isThrottled(error) ? 'throttled' : 'deadline', failure: 'deadline' }
  // L10, L13: a limiter refused it. A hold is a throttle, and so is the end of a call that met one before.
  if (reason === 'held') return { ...told, kind: 'throttled', failure: reason }
  if (reason === 'queue_full' || reason === 'queue_timeout')
    return { ...told, kind: gaveUp.class === 'throttle' ? 'throttled' : reason, failure: reason }
  if (failure?.kind === 'timeout') return { ...told, kind: 'timeout', failure: 'timeout' }
  const network = failure?.kind === 'connect' ? 'connect' : 'network'
  return { ...told, kind: 'connect', failure: network, cause: causeOf(error) }
}
