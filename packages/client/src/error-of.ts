import { endOfError, endOfResponse, messageOf, oneLine } from '@sluice/core/words'
import { type GiveUpEvent, type RetryErrorFields, ThrottledError } from '@sluice/fetch'
import { ApiError, type ProblemDocument } from './api-error.js'
import { type CallNote, noteOf } from './calls.js'
import { TokenError } from './token-error.js'

/** What a generated method resolves with, as far as errors go; without an answer there is no `response`. */
export interface FailedResult {
  error?: unknown
  request?: Request
  response?: Response
}

/** What to throw for a result without data: an ApiError, or the reason of the caller's own abort itself (R11). */
export function errorOf({ error, request, response }: FailedResult): unknown {
  const note = noteOf(request)
  const signal = request?.signal
  if (signal?.aborted && (error === signal.reason || note?.gaveUp?.reason === 'aborted')) return signal.reason
  if (response) return ofAnswer(response, error, note)
  if (!note?.gaveUp) return error // not a call of ours, or one that was never begun
  const { status, deadlineMs, gaveUp } = note
  const end = endOfError(error, gaveUp, { status, deadlineMs, signal: signal ?? new AbortController().signal })
  const { attempts, waitedMs, reason, retryAfterMs } = gaveUp
  const fields = { status, headers: null, attempts, waitedMs, reason, retryAfterMs }
  const message = error instanceof TokenError ? error.message : messageOf(end)
  return new ApiError(message ?? 'failed', fields, null, error)
}

function ofAnswer(response: Response, error: unknown, note: CallNote | undefined): ApiError {
  const { status, headers } = response
  const problem = problemIn(response, error)
  const title = oneLine(typeof problem?.title === 'string' ? problem.title : response.statusText)
  // Without a note the client is another one, and only the status tells what kind of trouble it was.
  const gaveUp = note ? note.gaveUp : ({ class: status === 429 ? 'throttle' : 'final' } as GiveUpEvent)
  const end = endOfResponse(response, gaveUp, note?.deadlineMs ?? null)
  const { attempts, waitedMs, retryAfterMs } = end
  const reason = end.reason as RetryErrorFields['reason'] // an answer is never the end of a call that was queued
  const fields = { status, headers, attempts, waitedMs, reason, retryAfterMs }
  if (note?.unreadable)
    return new ApiError(`the body of an answer (HTTP ${status}) could not be read`, fields, null, error)
  const message = messageOf({ ...end, title: title === '' ? null : title }) ?? `HTTP ${status}`
  return new ApiError(message, fields, problem, end.kind === 'throttled' ? new ThrottledError(fields) : undefined)
}

function problemIn({ headers }: Response, body: unknown): ProblemDocument | null {
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/problem+json' || typeof body !== 'object' || body === null) return null
  return body as ProblemDocument // parsed JSON, and an object
}
