import { type Attempt, AttemptTimeoutError, type Clock, outcomeOf } from '@sluice/core'
import { mark, onAbort } from '@sluice/core/adapter'

/**
 * Lets go of responses that were dropped unread: the listener on a long-lived signal, and the connection, which the
 * platform would free by itself if the body were not locked here. Some workers have no finalizers.
 */
const dropped =
  typeof FinalizationRegistry === 'undefined' ? undefined : new FinalizationRegistry<() => void>((letGo) => letGo())

/** A reference that keeps nothing alive, where the platform has such a thing. */
const weakly = <T extends object>(value: T): { deref(): T | undefined } =>
  typeof WeakRef === 'undefined' ? { deref: () => value } : new WeakRef(value)

/** What a body was ended with, once it was. */
interface Ended {
  reason?: { value: unknown }
}

/** Gives a response the looks of another: also what the constructor of `Response` refuses, or cannot be told. */
const dress = (response: Response, like: Response, ended: Ended): Response => {
  for (const name of ['status', 'ok', 'statusText', 'url', 'redirected', 'type'] as const)
    Object.defineProperty(response, name, { value: like[name] })
  const clone = (): Response => dress(Response.prototype.clone.call(response), response, ended)
  Object.defineProperty(response, 'clone', { value: clone })
  for (const name of ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const) {
    const read = Response.prototype[name] as (() => Promise<unknown>) | undefined // `bytes` is young
    // Chromium says `Failed to fetch` of whatever a stream failed with; R11 wants the reason itself.
    const value = (): Promise<unknown> | undefined =>
      read?.call(response).catch((error: unknown) => {
        throw ended.reason ? ended.reason.value : error
      })
    if (read) Object.defineProperty(response, name, { value })
  }
  const outcome = outcomeOf(like) // R14: an inner layer's
  return outcome ? mark(response, outcome) : response
}

interface BodyBounds {
  signal: AbortSignal | null | undefined
  idleMs: number | null
  clock: Clock
  watch: BodyWatch | undefined
  /** Called once, when nothing more can come. */
  over?: (() => void) | undefined
}

/** Who follows a body as it streams through. */
export interface BodyWatch {
  chunk(bytes: Uint8Array): void
  /** Called when it was read to its end (`whole`), or cancelled, failed or dropped; what it throws fails the body. */
  over(whole: boolean): void
}

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
  { signal, idleMs, clock, watch, over: told }: BodyBounds,
): Response {
  if (!response.body?.getReader) {
    watch?.over(true)
    told?.()
    return response
  }
  if (!signal && idleMs === null && !watch) return response
  const reader = response.body.getReader()
  const cancel = (reason?: unknown): Promise<void> => reader.cancel(reason).catch(() => {})
  const body = { fail: (_reason: unknown): void => {} }
  const ended: Ended = {}
  const held = weakly(body)
  const forget = signal && onAbort(signal, () => held.deref()?.fail(signal.reason))
  let over = false
  const end = (whole = false): void => {
    watch?.over(whole) // first: what it throws fails the body, which ends it again
    over = true
    forget?.()
    told?.()
    dropped?.unregister(reader)
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        body.fail = (reason) => {
          if (over) return
          ended.reason = { value: reason }
          end()
          controller.error(reason) // first: what the connection then says does not matter
          attempt.abort(reason)
          cancel(reason)
        }
      },
      async pull(controller) {
        const expire = (): void => body.fail(new AttemptTimeoutError(idleMs ?? 0, 'body'))
        const cancelTimer = idleMs === null ? undefined : clock.timer(idleMs, expire)
        try {
          const { done, value } = await reader.read()
          if (over) return
          if (!done) {
            watch?.chunk(value)
            return controller.enqueue(value)
          }
          end(true)
          controller.close()
        } catch (error) {
          body.fail(error)
        } finally {
          cancelTimer?.()
        }
      },
      cancel(reason) {
        end()
        return cancel(reason)
      },
    },
    { highWaterMark: 0 }, // asks the network for no more than the reader asks for
  )
  const letGo = (): void => {
    forget?.()
    told?.()
    watch?.over(false)
    cancel()
  }
  dropped?.register(stream, letGo, reader)
  return dress(new Response(stream, { headers: response.headers }), response, ended)
}
