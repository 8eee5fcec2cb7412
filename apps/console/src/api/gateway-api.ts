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

  constructor(fetch: PageFetch, token: string) {
    this.fetch = fetch
    this.#headers = { Authorization: `Bearer ${token}` }
  }

  get authorization(): string {
    return this.#headers.Authorization ?? ''
  }

  listPipes(): Promise<Answer<PipeList>> {
    return this.#get('/v1/pipes')
  }

  /** Ends an earlier one (U2). @param values by the names of its parameters; an empty one is left to its default */
  runPipe(name: string, values: Readonly<Record<string, string>>): Promise<Answer<PipeResult>> {
    const given = Object.entries(values).filter(([, value]) => value !== '')
    const query = new URLSearchParams(given).toString()
    const path = `/v1/pipes/${encodeURIComponent(name)}${query && `?${query}`}`
    return ask(() => this.fetch.with({ supersede: 'query' })(path, { headers: this.#headers }))
  }

  surge(): Promise<Answer<Surge>> {
    return this.#get('/demo/surge')
  }

  startSurge(): Promise<Answer<Surge>> {
    return ask(() => this.fetch('/demo/surge', { method: 'POST', headers: this.#headers }))
  }

  #get<T>(path: string): Promise<Answer<T>> {
    return ask(() => this.fetch(path, { headers: this.#headers }))
  }
}
