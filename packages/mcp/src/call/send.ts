import { type GiveUpEvent, isAttemptTimeout, type RetryEvent, retryPolicy } from '@sluice/core'
import { onAbort, policyOfSettings } from '@sluice/core/adapter'
import { causeOf, type End, endOfError, endOfResponse } from '@sluice/core/words'
import { createFetch, followingRedirects } from '@sluice/fetch'
import { type ApiRequest, addPlaced, type Operation, placeToken } from '@sluice/openapi'
import { type Answer, readAnswer } from '../answer/read-answer.js'
import type { CallSettings } from './settings.js'

/** In the words of a document. */
const ONCE = { disabled: true }

/** How one request goes out. */
export interface Sending {
  /** The caller's: ends a wait at once (R11). */
  readonly signal: AbortSignal
  readonly onRetry: (event: RetryEvent) => void
}

/** How a request ended, and the answer where there is one to show. */
export interface Sent {
  readonly end: End
  readonly answer: Answer | null
}

/**
 * Sends a request through @sluice/fetch and reads its answer, all of it within the deadline.
 * @throws CredentialError before anything was sent
 */
export async function send(
  operation: Operation,
  request: ApiRequest,
  settings: CallSettings,
  { signal, onRetry }: Sending,
): Promise<Sent> {
  const { clock, random, deadlineMs, logger, retry } = settings
  const transport = followingRedirects(settings.fetch)
  const begun = clock.now()
  let status: number | null = null
  let gaveUp: GiveUpEvent | undefined
  const backingOff = createFetch({
    ...{ clock, random, logger, onRetry },
    policy: retryPolicy({ deadlineMs }, policyOfSettings(retry ? operation.retry : ONCE, settings.policy)),
    idempotent: operation.retry.idempotent,
    onGiveUp(event) {
      gaveUp = event
    },
    async fetch(input, init) {
      const response = await transport(input, init)
      status = response.status
      return response
    },
  })

  const { method, body } = request
  const { url, headers } = addressed(request, operation, settings)
  const duplex = body instanceof ReadableStream ? { duplex: 'half' } : {} // not in lib.dom's RequestInit
  // The deadline of fetch ends with the headers (R10); an agent waits for the whole answer.
  const bounded = new AbortController()
  const unlink = onAbort(signal, () => bounded.abort(signal.reason))
  let cancelTimer: (() => void) | undefined
  let late = false
  try {
    // fetch takes a Uint8Array; lib.dom's BodyInit wants to know what buffer is behind it.
    const init = { method, headers, body: body as BodyInit | null, signal: bounded.signal, ...duplex }
    const response = await backingOff(url, init)
    const end = endOfResponse(response, gaveUp, deadlineMs)
    if (end.kind === 'throttled') {
      await response.body?.cancel() // S2: a throttle says what to do, and nothing else
      return { end, answer: null }
    }
    if (deadlineMs !== null)
      cancelTimer = clock.timer(Math.max(0, begun + deadlineMs - clock.now()), () => {
        late = true
        bounded.abort(new Error('the deadline passed'))
      })
    try {
      return { end, answer: await readAnswer(response) }
    } catch (error) {
      return { end: brokenOff(end, error), answer: null }
    }
  } catch (error) {
    if (!gaveUp) throw error // not a failure of the call: it was never begun
    return { end: endOfError(error, gaveUp, { status, deadlineMs, signal }), answer: null }
  } finally {
    cancelTimer?.()
    unlink()
  }

  /** The end of a call whose answer began and did not come to its end. */
  function brokenOff(end: End, error: unknown): End {
    if (signal.aborted) return { ...end, kind: 'aborted', reason: 'aborted', retryAfterMs: null }
    if (late) return { ...end, kind: 'deadline', failure: 'deadline' }
    if (isAttemptTimeout(error)) return { ...end, kind: 'timeout', failure: 'timeout' }
    return { ...end, kind: 'connect', failure: 'connect', cause: causeOf(error) }
  }
}

/** The request with what the user gave for all of them: no argument changes a header that the user has set. */
function addressed(
  request: ApiRequest,
  operation: Operation,
  { headers: given, token }: CallSettings,
): { url: string; headers: Headers } {
  const headers = new Headers(given)
  for (const [name, value] of Object.entries(request.headers))
    if (!given.has(name) || name === 'content-type') headers.set(name, value) // the body is of the type that it is
  const url = token === null ? request.url : addPlaced(placeToken(operation, token, given), request.url, headers)
  return { url, headers }
}
