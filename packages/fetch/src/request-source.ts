import { withIdempotencyKey } from './idempotency-key.js'
import type { FetchOptions } from './options.js'

/** A body that is read once: a stream, or what Node takes in place of one (R13). Everything else can be sent again. */
const isStream = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && ('getReader' in body || Symbol.asyncIterator in body)

/** What is sent, on each attempt alike. */
export interface RequestSource {
  readonly method: string
  readonly url: string
  readonly keyed: boolean
  readonly signal: AbortSignal | null | undefined
  /** Whether the body can be sent again, as far as is known by now. */
  replayable(): boolean
  /** Whether the request is well-formed: where it is not, a `TypeError` from fetch is about that (R3). */
  wellFormed(): boolean
  send(fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<Response>
}

/** @throws what building a `Request` would throw for invalid headers, or for a `Request` whose body was read before */
export function requestSource(
  input: string | URL | Request,
  given: RequestInit | undefined,
  idempotencyKey: FetchOptions['idempotencyKey'],
  maxReplayBytes: number,
): RequestSource {
  const request = typeof input === 'string' || input instanceof URL ? undefined : input
  const method = given?.method ?? request?.method ?? 'GET'
  const added = withIdempotencyKey(method, given?.headers ?? request?.headers, idempotencyKey)
  const init = added ? { ...given, headers: added } : given
  const headers = init?.headers ?? request?.headers
  const keyed = headers !== undefined && new Headers(headers).has('idempotency-key')
  const ownBody = request?.body && init?.body == null ? request : undefined
  const kept = ownBody && maxReplayBytes > 0 ? keepBody(ownBody, maxReplayBytes) : undefined
  let sends = 0

  return {
    method,
    url: request?.url ?? String(input),
    keyed,
    signal: init?.signal ?? request?.signal,
    replayable: () => (ownBody ? kept?.bytes !== undefined : !isStream(init?.body)),
    wellFormed() {
      if (request) return true
      try {
        return Boolean(new Request(input, init))
      } catch {
        return isStream(init?.body) // read by now, which says nothing of the rest
      }
    },
    send(fetch, signal) {
      // The first attempt sends the Request's own body, with the length and type the platform knows of it.
      const replay = kept && sends++ > 0 ? { body: kept.bytes ?? null } : undefined
      return fetch(input, { ...init, ...replay, signal })
    },
  }
}

/** Copies a `Request`'s body while it is sent, up to `most` bytes; beyond that it cannot be sent again (R13). */
function keepBody(request: Request, most: number): { bytes?: Uint8Array<ArrayBuffer> } {
  const kept: { bytes?: Uint8Array<ArrayBuffer> } = {}
  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    const chunks: Uint8Array<ArrayBuffer>[] = []
    let size = 0
    const reader = body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      size += value.byteLength
      if (size > most) return reader.cancel()
      chunks.push(new Uint8Array(value))
    }
    kept.bytes = new Uint8Array(await new Blob(chunks).arrayBuffer())
  }
  const { body } = request.clone()
  // A body that cannot be read fails the attempt that sends it; here it only means that nothing was kept.
  if (body) read(body).catch(() => {})
  return kept
}
