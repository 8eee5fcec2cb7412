import type { isAttemptTimeout } from '../errors/attempt-timeout-error.js'
import type { isDeadline } from '../errors/deadline-error.js'
import type { AdaptiveSemaphore } from '../limit/adaptive-semaphore.js'
import type { Slot } from '../limit/slot.js'
import type { execute } from '../retry/execute.js'
import type { Failure } from '../retry/failure.js'
import type { failureOf } from '../retry/failure-of.js'
import type { outcomeOf } from '../retry/outcome.js'
import type { RetryBudget } from '../retry/retry-budget.js'
import type { SharedEnd, SubjectCall } from './cases.js'
import { type RefusalFace, refusalName } from './limit-subject.js'
import { type PolicyFace, policyFromTable } from './policy-from-table.js'

/** The part of the public face that calls. */
export interface CallFace extends PolicyFace, RefusalFace {
  execute: typeof execute
  failureOf: typeof failureOf
  isAttemptTimeout: typeof isAttemptTimeout
  isDeadline: typeof isDeadline
  outcomeOf: typeof outcomeOf
}

const statusFailure = ({ status, headers }: Response): Failure | undefined =>
  status < 400 ? undefined : { kind: 'status', status, headers }

/** What a call of a table shares with others. */
export interface Sharing {
  limiter: AdaptiveSemaphore
  retryBudget: RetryBudget | undefined
}

/** Makes one call of a table through `execute()`, with a bare fetch as its operation. */
export async function playCall(
  { policy: fields, request, fetch, clock, random, signal }: SubjectCall,
  face: CallFace,
  sharing?: Sharing,
): Promise<SharedEnd> {
  const policy = policyFromTable(fields, face)
  if ('policy_error' in policy) return policy
  const { method, url, idempotent } = request
  const headers = new Headers(request.headers)
  const body = { none: undefined, replayable: 'body', stream: new Blob(['body']).stream() }[request.body]
  const duplex = request.body === 'stream' ? { duplex: 'half' } : {} // not in lib.dom's RequestInit
  let status: number | null = null
  let slot: Slot | undefined
  const end = { reason: null as string | null, retry_after_ms: null as number | null, attempts: 0, waited_ms: 0 }
  try {
    const response = await face.execute(
      async (attempt) => {
        const answer = await fetch(url, { method, headers, body: body ?? null, signal: attempt.signal, ...duplex })
        status = answer.status
        if (answer.body) slot = attempt.keepSlot() // L12: until its body is over
        return answer
      },
      {
        ...sharing,
        ...{ policy, clock, random, signal, method, idempotent },
        keyed: () => headers.has('idempotency-key'),
        replayable: () => request.body !== 'stream',
        inspect: statusFailure,
        peek: (answer) => answer.clone().text(),
        release(answer) {
          void answer.body?.cancel()
          slot?.release()
        },
        onGiveUp({ reason, retryAfterMs, attempts, waitedMs }) {
          Object.assign(end, { reason, retry_after_ms: retryAfterMs, attempts, waited_ms: waitedMs })
        },
      },
    )
    const read = sharing && { read: () => response.text().finally(() => slot?.release()) }
    if (response.status >= 400) return { outcome: 'gave_up', status, failure: null, ...end, ...read }
    const { attempts = 0, waitedMs = 0 } = face.outcomeOf(response) ?? {}
    return { outcome: 'ok', status, failure: null, ...end, attempts, waited_ms: waitedMs, ...read }
  } catch (error) {
    if (signal.aborted && error === signal.reason) return { outcome: 'aborted', status, failure: null, ...end }
    const failure = refusalName(error, face) ?? failureName(error, face)
    return { outcome: 'gave_up', status, failure, ...end }
  }
}

/** The end in the tables' words, from what a caller of `execute()` can see. */
export function failureName(
  error: unknown,
  { isDeadline, isAttemptTimeout, failureOf }: Pick<CallFace, 'isDeadline' | 'isAttemptTimeout' | 'failureOf'>,
): string {
  if (isDeadline(error)) return 'deadline'
  if (isAttemptTimeout(error)) return 'timeout'
  if (error instanceof Error && 'kind' in error) return String(error.kind) // TransientError's
  // The cause: the error itself is marked as retried, and final for that (R14).
  const { kind } = failureOf((error as Error).cause ?? error)
  return kind === 'connect' || kind === 'timeout' ? kind : 'network'
}
