import type { isAttemptTimeout } from '../errors/attempt-timeout-error.js'
import type { isDeadline } from '../errors/deadline-error.js'
import type { execute } from '../retry/execute.js'
import type { Failure } from '../retry/failure.js'
import type { failureOf } from '../retry/failure-of.js'
import type { outcomeOf } from '../retry/outcome.js'
import type { SubjectCall, SubjectEnd } from './cases.js'
import { type PolicyFace, policyFromTable } from './policy-from-table.js'

/** The part of the public face that calls. */
export interface CallFace extends PolicyFace {
  execute: typeof execute
  failureOf: typeof failureOf
  isAttemptTimeout: typeof isAttemptTimeout
  isDeadline: typeof isDeadline
  outcomeOf: typeof outcomeOf
}

const statusFailure = ({ status, headers }: Response): Failure | undefined =>
  status < 400 ? undefined : { kind: 'status', status, headers }

/** Makes one call of a table through `execute()`, with a bare fetch as its operation. */
export async function playCall(
  { policy: fields, request, fetch, clock, random, signal }: SubjectCall,
  face: CallFace,
): Promise<SubjectEnd> {
  const policy = policyFromTable(fields, face)
  if ('policy_error' in policy) return policy
  const { method, url, idempotent } = request
  const headers = new Headers(request.headers)
  const body = { none: undefined, replayable: 'body', stream: new Blob(['body']).stream() }[request.body]
  const duplex = request.body === 'stream' ? { duplex: 'half' } : {} // not in lib.dom's RequestInit
  let status: number | null = null
  const end = { reason: null as string | null, retry_after_ms: null as number | null, attempts: 0, waited_ms: 0 }
  try {
    const response = await face.execute(
      async (attempt) => {
        const answer = await fetch(url, { method, headers, body: body ?? null, signal: attempt.signal, ...duplex })
        status = answer.status
        return answer
      },
      {
        ...{ policy, clock, random, signal, method, idempotent },
        keyed: () => headers.has('idempotency-key'),
        replayable: () => request.body !== 'stream',
        inspect: statusFailure,
        peek: (answer) => answer.clone().text(),
        release: (answer) => void answer.body?.cancel(),
        onGiveUp({ reason, retryAfterMs, attempts, waitedMs }) {
          Object.assign(end, { reason, retry_after_ms: retryAfterMs, attempts, waited_ms: waitedMs })
        },
      },
    )
    if (response.status >= 400) return { outcome: 'gave_up', status, failure: null, ...end }
    const { attempts = 0, waitedMs = 0 } = face.outcomeOf(response) ?? {}
    return { outcome: 'ok', status, failure: null, ...end, attempts, waited_ms: waitedMs }
  } catch (error) {
    if (signal.aborted && error === signal.reason) return { outcome: 'aborted', status, failure: null, ...end }
    return { outcome: 'gave_up', status, failure: failureName(error, face), ...end }
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
