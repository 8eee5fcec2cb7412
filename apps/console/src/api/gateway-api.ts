import type { Backlog, DataSource, NoticeList, PipeList, PipeResult, Route } from '@sluice/client'
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

  /** A question of the page's own, which nobody waits for: sent once, and no banner says that it is to be sent again. */
  look<T>(path: string): Promise<Answer<T>> {
    return this.#ask(this.fetch.with({ maxAttempts: 1, throttleBudgetMs: null }), path)
  }

  source(name: string): Promise<Answer<DataSource>> {
    return this.look(`/v1/datasources/${name}`)
  }

  /** For owners alone: 403 says that the token is none of one. */
  backlog(name: string): Promise<Answer<Backlog>> {
    return this.look(`/v1/datasources/${name}/backlog`)
  }

  /** The newest. @param of a data source, or null for all of them */
  notices(of: string | null): Promise<Answer<NoticeList>> {
    return this.look(`/v1/notices?limit=50${of === null ? '' : `&data_source=${of}`}`)
  }

  pause(name: string): Promise<Answer<Backlog>> {
    return this.#ask(this.fetch.with({ idempotent: true }), `/v1/datasources/${name}/backlog/pause`, 'POST')
  }

  resume(name: string): Promise<Answer<Backlog>> {
    return this.#ask(this.fetch.with({ idempotent: true }), `/v1/datasources/${name}/backlog/resume`, 'POST')
  }

  /** @param node null: back to where it belongs */
  reroute(name: string, node: string | null): Promise<Answer<Route>> {
    return this.#ask(this.fetch, `/v1/datasources/${name}/route`, 'PUT', { node })
  }

  liftLimit(name: string): Promise<Answer<null>> {
    return this.#ask(this.fetch, `/v1/datasources/${name}/limit`, 'DELETE')
  }

  surge(): Promise<Answer<Surge>> {
    return this.#ask(this.fetch, '/demo/surge')
  }

  startSurge(): Promise<Answer<Surge>> {
    return this.#ask(this.fetch, '/demo/surge', 'POST')
  }

  #ask<T>(fetch: PageFetch, path: string, method = 'GET', body?: object): Promise<Answer<T>> {
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const headers = { ...this.#headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) }
    return ask(() => fetch(path, { method, headers, signal: this.#closing.signal, ...json }))
  }
}
