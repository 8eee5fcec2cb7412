import type { Clock } from '@sluice/core'

/** Tells calls apart: a client repeats the header on every send of a call. */
export const CALL_ID_HEADER = 'x-request-id'

/** What went over the wire. */
export interface Traffic {
  readonly sends: number
  /** Answers with status 429. */
  readonly refusals: number
  /** Sends of a call before the wait that its own last 429 stated was over. */
  readonly earlyKnocks: number
}

/**
 * Stands under a client and counts what it really sends. It reads Retry-After by itself: the judge of a client should
 * not share its code.
 */
export class CountingTransport {
  readonly #fetch: typeof fetch
  readonly #clock: Clock
  /** When each call may come back, by its id. */
  readonly #notBeforeMs = new Map<string, number>()
  #sends = 0
  #refusals = 0
  #earlyKnocks = 0

  constructor(parts: { readonly fetch: typeof fetch; readonly clock: Clock }) {
    this.#fetch = parts.fetch
    this.#clock = parts.clock
  }

  get traffic(): Traffic {
    return { sends: this.#sends, refusals: this.#refusals, earlyKnocks: this.#earlyKnocks }
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const id = new Headers(init?.headers).get(CALL_ID_HEADER)
    if (id === null) throw new TypeError(`CountingTransport: a send without the header ${CALL_ID_HEADER}`)
    this.#sends += 1
    if (this.#clock.now() < (this.#notBeforeMs.get(id) ?? 0)) this.#earlyKnocks += 1
    const response = await this.#fetch(input, init)
    if (response.status === 429) {
      this.#refusals += 1
      this.#notBeforeMs.set(id, this.#clock.now() + statedMs(response))
    }
    return response
  }
}

/** The gateway writes whole seconds (RFC 9110, section 10.2.3); without a stated wait no knock is early. */
function statedMs(response: Response): number {
  const seconds = response.headers.get('retry-after') ?? ''
  return /^\d+$/.test(seconds) ? Number(seconds) * 1000 : 0
}
