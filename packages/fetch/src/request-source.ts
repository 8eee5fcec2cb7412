import { type KeptBody, keepBody } from './keep-body.js'

/** A body that is read once: a stream, or what Node takes in place of one (R13). Everything else can be sent again. */
const isStream = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && ('getReader' in body || Symbol.asyncIterator in body)

/** What is sent, on each attempt alike. */
export class RequestSource {
  readonly method: string
  readonly signal: AbortSignal | null | undefined
  readonly #input: string | URL | Request
  readonly #init: RequestInit | undefined
  readonly #request: Request | undefined
  /** Where the body is the `Request`'s own: what was kept of it. */
  readonly #kept: KeptBody | undefined
  #sends = 0

  /**
   * @param maxReplayBytes how much of a `Request`'s body is kept (R13)
   * @throws TypeError for a `Request` whose body was read before
   */
  constructor(input: string | URL | Request, init: RequestInit | undefined, maxReplayBytes: number) {
    const request = typeof input === 'string' || input instanceof URL ? undefined : input
    this.#input = input
    this.#init = init
    this.#request = request
    this.method = init?.method ?? request?.method ?? 'GET'
    this.signal = init?.signal ?? request?.signal
    if (request?.body && init?.body == null) this.#kept = keepBody(request, maxReplayBytes)
  }

  get url(): string {
    return this.#request?.url ?? String(this.#input)
  }

  get headers(): Headers {
    return new Headers(this.#init?.headers ?? this.#request?.headers)
  }

  /** Whether the body can be sent again, as far as is known by now. */
  get replayable(): boolean {
    return this.#kept ? this.#kept.bytes !== undefined : !isStream(this.#init?.body)
  }

  /** Whether the request can be built: where it cannot, a `TypeError` from fetch is about that (R3). */
  get wellFormed(): boolean {
    if (this.#request) return true
    try {
      return Boolean(new Request(this.#input, this.#init))
    } catch {
      return isStream(this.#init?.body) // read by now, which says nothing of the rest
    }
  }

  send(fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<Response> {
    // The first attempt sends the Request's own body, with the length and type the platform knows of it.
    const replay = this.#kept && this.#sends++ > 0 ? { body: this.#kept.bytes ?? null } : undefined
    return fetch(this.#input, { ...this.#init, ...replay, signal })
  }
}
