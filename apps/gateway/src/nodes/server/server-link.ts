import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client'
import { EngineError } from '../engine-error.js'
import { NodeUnavailableError } from '../node-unavailable-error.js'
import type { ServerNodeOptions } from './server-options.js'

/** One request. */
export interface ServerRequest {
  readonly sql: string
  /** What follows the SQL, as rows of an insert: pieces, one behind the other. */
  readonly body?: readonly Buffer[]
  readonly params?: Readonly<Record<string, string>>
  /** Settings of the query, and parameters of the HTTP interface. */
  readonly settings?: Readonly<Record<string, string | number>>
  readonly queryId: string
  /** Ends the connection. It does not end the query: that is another request's matter. */
  readonly signal?: AbortSignal | undefined
}

/** It never came to a connection: nothing was sent. */
export class NotSentError extends NodeUnavailableError {}

/** No connection was made. */
const NOT_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT_.*|.*_SIGNED_CERT.*|ERR_TLS_.*)$/
const SYSTEM_CODE = /^[A-Z][A-Z0-9_]*$/
/** A connection without traffic is given up after so long, whatever happened to those who asked. */
const SILENT_MS = 600_000
/** Servers before 23.11 keep an idle connection for 3 s. */
const IDLE_MS = 2000

/** Connections to one server. Its credentials are known here and nowhere else. */
export class ServerLink {
  readonly #client: ReturnType<typeof createClient>
  readonly #agent: HttpAgent
  readonly #secrets: RegExp | undefined
  readonly #node: string

  constructor({ name, url, user = 'default', password = '' }: ServerNodeOptions, connections: number) {
    this.#node = name
    const Agent = url.startsWith('https:') ? HttpsAgent : HttpAgent
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
    this.#secrets = secretsOf(user, password)
    this.#client = createClient({
      ...{ url, username: user, password, application: 'sluice-gateway', request_timeout: SILENT_MS },
      http_agent: this.#agent,
      keep_alive: { idle_socket_ttl: IDLE_MS, eagerly_destroy_stale_sockets: true },
      log: { level: ClickHouseLogLevel.OFF }, // it would write SQL and its settings
    })
  }

  /**
   * What the server answers.
   * @throws EngineError for what it refuses; NotSentError; NodeUnavailableError, or the signal's reason, where nobody knows
   *   what became of it
   */
  async text({ sql, body, params, settings, queryId, signal }: ServerRequest): Promise<string> {
    signal?.throwIfAborted() // the client listens for what is yet to come
    try {
      const { stream } = await this.#client.exec({
        query: sql,
        ...(body && { values: Readable.from(body, { objectMode: false }) }),
        ...(params && { query_params: { ...params } }),
        query_id: queryId,
        // Settings that are parameters of the HTTP interface are sent alike, and not in the client's list.
        clickhouse_settings: { wait_end_of_query: 1, default_format: 'JSON', ...settings } as ClickHouseSettings,
        ...(signal && { abort_signal: signal }),
      })
      return await textOf(stream)
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      throw this.#understood(error, queryId)
    }
  }

  /** Ends all connections at once, so that nothing of what was sent arrives any more that has not arrived. */
  reset(): void {
    for (const sockets of Object.values({ ...this.#agent.sockets }))
      for (const it of sockets ?? []) it.resetAndDestroy()
  }

  async close(): Promise<void> {
    await this.#client.close()
    this.#agent.destroy()
  }

  #understood(error: unknown, queryId: string): Error {
    const said = (error instanceof Error ? error.message : String(error)).trimEnd()
    const message = this.#secrets ? said.replace(this.#secrets, '***') : said
    const code = propertyOf(error, 'code') ?? /\bCode: (\d+)/.exec(said)?.[1] ?? ''
    if (/^\d+$/.test(code)) return new EngineError(message, Number(code), queryId, this.#node)
    const what = `The server does not answer: ${code || message}`
    const systemCode = SYSTEM_CODE.exec(code)?.[0]
    return NOT_SENT.test(code)
      ? new NotSentError(what, 1000, systemCode)
      : new NodeUnavailableError(what, 1000, systemCode)
  }
}

function propertyOf(error: unknown, name: string): string | undefined {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined
  return typeof value === 'string' ? value : undefined
}

/** What is said of neither, wherever a server repeats it: the password anywhere, the user as a word. */
function secretsOf(user: string, password: string): RegExp | undefined {
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const word = user === 'default' ? [] : [`(?<!\\w)${escaped(user)}(?!\\w)`]
  const all = password === '' ? word : [escaped(password), ...word]
  return all.length > 0 ? new RegExp(all.join('|'), 'g') : undefined
}
