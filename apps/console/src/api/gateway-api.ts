import type { PipeList, PipeResult } from '@sluice/client'
import type { PageFetch } from '@sluice/fetch/page'
import { type Answer, ask } from './ask.js'

/** Where a surge is; what is told by `GET /demo/surge`, which only the gateway of `npm start` has. */
export interface Surge {
  readonly state: 'idle' | 'preparing' | 'calm' | 'job' | 'after'
  /** Why the last one ended before its end; null: it did not. */
  readonly failure: string | null
}

/** What the page asks, through the one fetch of the page. */
export class GatewayApi {
  readonly fetch: PageFetch
  readonly #headers: Readonly<Record<string, string>>
  readonly #closing = new AbortController()

  constructor(fetch: PageFetch, token: string) {
    this.fetch = fetch
    this.#headers = { Authorization: `Bearer ${token}` }
  }

  get authorization(): string {
    return this.#headers.Authorization ?? ''
  }

  /** Ends what is under way or waits: a token that was forgotten is not sent again. */
  close(): void {
    this.#closing.abort()
  }

  /** Ends an earlier one (U2). */
  listPipes(): Promise<Answer<PipeList>> {
    return this.#ask(this.fetch.with({ supersede: 'pipes' }), '/v1/pipes')
  }

  /** Ends an earlier one (U2). @param values by the names of its parameters; an empty one is left to its default */
  runPipe(name: string, values: Readonly<Record<string, string>>): Promise<Answer<PipeResult>> {
    const given = Object.entries(values).filter(([, value]) => value !== '')
    const query = new URLSearchParams(given).toString()
    const path = `/v1/pipes/${encodeURIComponent(name)}${query && `?${query}`}`
    return this.#ask(this.fetch.with({ supersede: 'query' }), path)
  }

  surge(): Promise<Answer<Surge>> {
    return this.#ask(this.fetch, '/demo/surge')
  }

  startSurge(): Promise<Answer<Surge>> {
    return this.#ask(this.fetch, '/demo/surge', 'POST')
  }

  #ask<T>(fetch: PageFetch, path: string, method = 'GET'): Promise<Answer<T>> {
    return ask(() => fetch(path, { method, headers: this.#headers, signal: this.#closing.signal }))
  }
}
