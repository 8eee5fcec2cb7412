import { type Attempt, AttemptTimeoutError, type Clock, onAbort } from '@sluice/core'

/** Unlinks responses that were dropped without being read, so that a long-lived signal does not collect listeners. */
const dropped = new FinalizationRegistry<() => void>((unlink) => unlink())

/** What the constructor of `Response` cannot be told. */
const dress = (response: Response, like: Response): Response =>
  Object.defineProperties(response, {
    url: { value: like.url },
    redirected: { value: like.redirected },
    type: { value: like.type },
    clone: { value: () => dress(Response.prototype.clone.call(response), like) },
  })

/**
 * Bounds the body of a response: a silence longer than `idleMs` ends it with an AttemptTimeoutError (R10), an abort of
 * the caller's signal with the caller's reason (R11). Both end the connection. The listener on the caller's signal
 * lives until the body was read, cancelled, failed or dropped.
 *
 * @returns the response itself where nothing can bound its body, else one like it
 */
export function guardBody(
  response: Response,
  attempt: Attempt,
  { signal, idleMs, clock }: { signal: AbortSignal | null | undefined; idleMs: number | null; clock: Clock },
): Response {
  if (!response.body || (!signal && idleMs === null)) return response
  const reader = response.body.getReader()
  const body = { fail: (_reason: unknown): void => {} }
  const held = new WeakRef(body)
  const forget = signal && onAbort(signal, () => held.deref()?.fail(signal.reason))
  const unlink = (): void => {
    forget?.()
    dropped.unregister(reader)
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        body.fail = (reason) => {
          unlink()
          controller.error(reason) // first: what the connection then says does not matter
          attempt.abort(reason)
        }
      },
      async pull(controller) {
        const expire = (): void => body.fail(new AttemptTimeoutError(idleMs ?? 0, 'body'))
        const cancelTimer = idleMs === null ? undefined : clock.timer(idleMs, expire)
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          unlink()
          controller.close()
        } catch (error) {
          body.fail(error)
        } finally {
          cancelTimer?.()
        }
      },
      cancel(reason) {
        unlink()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 }, // asks the network for no more than the reader asks for
  )
  dropped.register(stream, unlink, reader)
  const { status, statusText, headers } = response
  return dress(new Response(stream, { status, statusText, headers }), response)
}
