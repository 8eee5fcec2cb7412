import { type Attempt, type Clock, outcomeOf } from '@sluice/core'
import { mark, onAbort } from '@sluice/core/adapter'
import { BoundedBody } from './bounded-body.js'

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
  for (const name of ['arrayBuffer', 'blob', 'bytes', 'formData', 'text'] as const) {
    const read = Response.prototype[name] as (() => Promise<unknown>) | undefined // `bytes` is young
    // Chromium says `Failed to fetch` of whatever a stream failed with; R11 wants the reason itself.
    const value = (): Promise<unknown> | undefined =>
      read?.call(response).catch((error: unknown) => {
        throw ended.reason ? ended.reason.value : error
      })
    if (read) Object.defineProperty(response, name, { value })
  }
  // And of what is no JSON `Failed to execute 'close'`, since it parses while the stream closes.
  const json = async (): Promise<unknown> =>
    response.bodyUsed ? Response.prototype.json.call(response) : JSON.parse(await response.text())
  Object.defineProperty(response, 'json', { value: json })
  const outcome = outcomeOf(like) // R14: an inner layer's
  return outcome ? mark(response, outcome) : response
}

/** A response with another body. Service workers, caches and WebAssembly look at its inside, which no property covers. */
const likeness = (body: ReadableStream, like: Response): Response => {
  try {
    return new Response(body, like)
  } catch {
    return new Response(body, { headers: like.headers }) // 999, say: a server may send what the constructor refuses
  }
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
  const ended: Ended = {}
  let forget: (() => void) | undefined
  const end = (whole: boolean): void => {
    watch?.over(whole)
    forget?.()
    told?.()
    dropped?.unregister(reader)
  }
  const failed = (reason: unknown): void => {
    ended.reason = { value: reason }
  }
  // No function below may hold on to the source: it would never be collected, and its body never let go of.
  const source = new BoundedBody({
    reader,
    attempt,
    idleMs,
    clock,
    chunk: watch && ((it) => watch.chunk(it)),
    end,
    failed,
  })
  if (signal) forget = onAbort(signal, failing(weakly(source), signal))
  const letGo = (): void => {
    forget?.()
    told?.()
    watch?.over(false)
    reader.cancel().catch(() => {})
  }
  // Not the stream: Chromium collects that object while a reader of it, or `text()`, goes on reading.
  dropped?.register(source, letGo, reader)
  // 0: asks the network for no more than the reader asks for.
  const stream = new ReadableStream<Uint8Array>(source, { highWaterMark: 0 })
  return dress(likeness(stream, response), response, ended)
}

const failing =
  (source: { deref(): BoundedBody | undefined }, signal: AbortSignal): (() => void) =>
  () =>
    source.deref()?.fail(signal.reason)
