import type { Clock } from '@sluice/core'
import { inspect } from './failed-response.js'
import { type KeptBody, keepBody, untilRead } from './keep-body.js'

/** A body that is read once: a stream, or what Node takes in place of one (R13). Everything else can be sent again. */
export const isStream = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && ('getReader' in body || Symbol.asyncIterator in body)

/** A `Request`, also of another realm or another implementation; strings and URLs have no `url`. */
export const requestLike = (input: string | URL | Request): Request | undefined =>
  typeof input === 'object' && 'url' in input ? input : undefined

/** Firefox has no `Request.body`: there any method that may have one is taken to have one. */
const hasBody = (request: Request): boolean =>
  'body' in request ? request.body !== null : !/^(GET|HEAD)$/i.test((request as Request).method)

/** Headers as they are now: the caller's may change before the next attempt, or be readable once. */
const copyHeaders = (headers: HeadersInit): HeadersInit =>
  Object.getPrototypeOf(headers) === Object.prototype
    ? { ...(headers as Record<string, string>) }
    : new Headers(headers)

/**
 * What is sent, on each attempt alike: a copy of what the caller gave, as far as a copy can be made. Bytes, Blobs and
 * forms are sent as they are; do not change them while the call lasts.
 */
export class RequestSource {
  readonly method: string
  readonly signal: AbortSignal | null | undefined
  readonly #input: string | Request
  readonly #init: RequestInit
  readonly #request: Request | undefined
  /** Where the body is the `Request`'s own: what was kept of it. */
  readonly #kept: KeptBody | undefined
  #sends = 0

  /**
   * @param maxReplayBytes how much of a `Request`'s body is kept (R13); null: nothing, it will not be sent again
   * @throws TypeError for invalid headers, or a `Request` whose body was read before
   */
  constructor(input: string | URL | Request, given: RequestInit | undefined, maxReplayBytes: number | null) {
    const request = requestLike(input)
    const init: RequestInit = {}
    // Not a spread: init may be a Request, whose fields are on its prototype.
    for (const field in given) Object.assign(init, { [field]: given[field as keyof RequestInit] })
    if (init.headers) init.headers = copyHeaders(init.headers)
    if (init.body instanceof URLSearchParams) init.body = new URLSearchParams(init.body)
    if (request) {
      // Any init resets these two of a Request (Fetch standard, Request constructor).
      init.referrer ??= request.referrer
      init.referrerPolicy ??= request.referrerPolicy
    }
    this.#input = request ?? String(input)
    this.#init = init
    this.#request = request
    this.method = init.method ?? request?.method ?? 'GET'
    this.signal = init.signal === undefined ? request?.signal : init.signal
    if (request && init.body == null && maxReplayBytes !== null && hasBody(request))
      this.#kept = keepBody(request, maxReplayBytes)
  }

  get url(): string {
    return this.#request?.url ?? String(this.#input)
  }

  get keyed(): boolean {
    try {
      return new Headers(this.#init.headers ?? this.#request?.headers).has('idempotency-key')
    } catch {
      return false // no such headers can be sent, as fetch has said by now
    }
  }

  /** Whether the body can be sent again, as far as is known by now. */
  get replayable(): boolean {
    return this.#kept ? this.#kept.bytes !== undefined : !isStream(this.#init.body)
  }

  /** Whether the request can be built: where it cannot, a `TypeError` from fetch is about that (R3). */
  get wellFormed(): boolean {
    const { method = 'GET', headers = {} } = this.#request ?? {}
    try {
      return Boolean(new Request(this.url, { method, headers, ...this.#init, signal: null }))
    } catch {
      return isStream(this.#init.body) // read by now, which says nothing of the rest
    }
  }

  /** Sends it; a failure is handed on when it is known whether the body can be sent again. */
  async send(fetch: typeof globalThis.fetch, signal: AbortSignal, clock: Clock): Promise<Response> {
    const kept = this.#kept
    // The first attempt sends the Request's own body, with the length and type the platform knows of it.
    const replay = kept && this.#sends++ > 0 ? { body: kept.bytes ?? null } : undefined
    const sent = fetch(this.#input, { ...this.#init, ...replay, signal })
    if (kept && (await Promise.resolve(sent).then(inspect, () => true))) await untilRead(kept, clock, signal)
    return sent
  }
}
