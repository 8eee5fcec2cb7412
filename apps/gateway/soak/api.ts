import { Agent, request } from 'node:http'

/** What a gateway answered; status 0: nothing. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** What a data source of a soak is defined by. */
export interface SourceDefinition {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly partition?: { readonly column: string; readonly by: string }
  readonly plan?: Readonly<Record<string, number>>
}

/** So that no plan is in the way of a soak about something else. */
export const FREE_PLAN = { requests_per_second: 1e6, burst: 1e6, rows_per_second: 1e9 } as const

/** A client of a gateway that repeats nothing: what became of each request is counted. */
export class Api {
  readonly #url: () => string
  readonly #token: string
  // What waits for its answer must not keep the next from being sent: that would be measured as the gateway's.
  readonly #agent = new Agent({ keepAlive: true })

  constructor(url: () => string, token: string) {
    this.#url = url
    this.#token = token
  }

  ask(
    method: string,
    path: string,
    body?: string | Buffer,
    type = 'application/json',
    more: Record<string, string> = {},
  ): Promise<Answer> {
    const content = body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }
    const headers = { authorization: `Bearer ${this.#token}`, ...content, ...more }
    return new Promise((resolve) => {
      const nothing = (error: Error) => resolve({ status: 0, text: String(error), headers: {} })
      const sent = request(`${this.#url()}${path}`, { method, headers, agent: this.#agent }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (piece) => {
          text += piece
        })
        response.on('error', nothing)
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }))
      })
      sent.on('error', nothing)
      sent.end(body)
    })
  }

  /** @throws Error where the answer is another status than it should be */
  async must(
    method: string,
    path: string,
    body?: object,
    allowed: readonly number[] = [200, 201, 204],
  ): Promise<string> {
    const { status, text } = await this.ask(method, path, body && JSON.stringify(body))
    if (!allowed.includes(status)) throw new Error(`${method} ${path} was answered ${status}: ${text.slice(0, 500)}`)
    return text
  }

  define(source: string, { plan = {}, ...definition }: SourceDefinition): Promise<string> {
    return this.must('PUT', `/v1/datasources/${source}`, { ...definition, plan: { ...FREE_PLAN, ...plan } })
  }

  /** @param lines NDJSON */
  send(source: string, lines: string | Buffer, wait: boolean, key?: string): Promise<Answer> {
    const more = key === undefined ? {} : { 'idempotency-key': key }
    const path = `/v1/datasources/${source}/events${wait ? '?wait=true' : ''}`
    return this.ask('POST', path, lines, 'application/x-ndjson', more)
  }

  /** Rows that are accepted and not written. */
  async backlog(source: string): Promise<number> {
    return JSON.parse(await this.must('GET', `/v1/datasources/${source}/backlog`)).rows
  }

  close(): void {
    this.#agent.destroy()
  }
}
