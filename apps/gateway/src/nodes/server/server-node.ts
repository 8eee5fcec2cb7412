import { setTimeout as sleep } from 'node:timers/promises'
import { type ActiveParts, type Block, InsertError } from '@sluice/ingest'
import { within } from '../../within.js'
import { bounded } from '../bounded.js'
import { faultOf, insertFailure } from '../insert-fault.js'
import type { NodeAnswer, NodeQuery, NodeState, NodeTrouble, RunningQuery } from '../node.js'
import { NodeUnavailableError } from '../node-unavailable-error.js'
import { activeParts, type BlockKey, isWritten, tableOfBlock } from '../sql/block-sql.js'
import { defineTable, type RunSql } from '../sql/define-table.js'
import { databaseOf, tableOf } from '../sql/table-name.js'
import type { StoreNode, TableDefinition } from '../store-node.js'
import { BlockWriter } from './block-writer.js'
import { inlineParameters } from './inline-parameters.js'
import { ANSWER_AFTER_KILL_MS, killUntil } from './kill.js'
import { Presence } from './presence.js'
import { serverAnswer } from './server-answer.js'
import { NotSentError, ServerLink, type ServerRequest } from './server-link.js'
import { checkServer, type ServerNodeOptions } from './server-options.js'

export type { Replicated, ServerNodeOptions } from './server-options.js'

/** For queries and questions; the limiter before them is lower. */
const CONNECTIONS = 256
/** 64-bit integers are quoted, or JSON would round them. */
const READ = { output_format_json_quote_64bit_integers: 1 }
/** Reads cannot write, create or change `readonly` itself. */
const OWN_READ = { ...READ, readonly: 2 }
/** Nor set anything, nor read files, addresses and other servers by table functions. */
const TENANT_READ = { ...READ, readonly: 1 }
/** A start does not wait for a server for longer. */
const START_TIMEOUT_MS = 2000
/** What a server has in hand and has not begun it has begun by then. */
const BEGUN_AFTER_MS = 200

/** A ClickHouse server by its URL. */
export class ServerNode implements StoreNode {
  readonly name: string
  readonly #options: ServerNodeOptions
  readonly #link: ServerLink
  readonly #writer: BlockWriter
  readonly #presence: Presence

  /** @throws ConfigError */
  constructor(options: ServerNodeOptions) {
    checkServer(options)
    this.name = options.name
    this.#options = options
    this.#link = new ServerLink(options, CONNECTIONS)
    this.#writer = new BlockWriter(options, (sql, signal) => this.#run(sql, signal))
    this.#presence = new Presence(options.name, options.logger, (sql, signal) => this.#link.text(own(sql, signal)))
  }

  get state(): NodeState {
    return this.#presence.state
  }

  get trouble(): NodeTrouble | undefined {
    return this.#presence.trouble
  }

  /** Asks the server who it is. That it does not answer, or refuses the gateway, is no error: it may come. */
  async start(): Promise<void> {
    const silent = new NodeUnavailableError('The server does not answer.', 1000)
    const down = () => undefined // logged, and asked again
    await within(START_TIMEOUT_MS, silent, (late) => this.#presence.ask(late)).catch(down)
  }

  query(query: NodeQuery): RunningQuery {
    const ended = new AbortController()
    const cut = new AbortController()
    const queryId = `sluice_read_${crypto.randomUUID()}`
    const answer = this.#read(query, queryId, cut.signal)
    let timer: NodeJS.Timeout | undefined
    const end = () => {
      ended.abort()
      clearTimeout(timer)
    }
    const stopped = answer.then(end, end)
    const cancel = () => {
      void killUntil((sql, signal) => this.#run(sql, signal), queryId, ended.signal)
      // Else one that is silent would keep slots of the limit; the query's own time ends it there.
      timer = setTimeout(
        () => cut.abort(new NodeUnavailableError('The server does not answer.', 1000)),
        ANSWER_AFTER_KILL_MS,
      )
    }
    return { answer: bounded(answer, cancel, query), ended: stopped }
  }

  async ping(signal: AbortSignal): Promise<void> {
    await this.#presence.ask(signal).catch((error) => {
      if (signal.aborted) this.#presence.lost(error) // nothing but this tells it of one that is silent
      throw error
    })
  }

  async define(table: TableDefinition, signal: AbortSignal): Promise<void> {
    const { isCurrent } = await this.#presence.knownForWriting(signal)
    const { replicated } = this.#options
    const { database, table: name } = tableOf(table.source)
    const engine = replicated
      ? `ReplicatedMergeTree('${replicated.path}/${database}/${name}', '${replicated.replica}')`
      : 'MergeTree'
    // Tokens of the last blocks are kept, as replicated tables do anyway: what arrives a second time is dropped.
    const settings = isCurrent && !replicated ? ['non_replicated_deduplication_window = 1000'] : []
    await defineTable(this.#runUntil(signal), table, { engine, settings })
  }

  async insert(block: Block, signal: AbortSignal): Promise<void> {
    const table = tableOfBlock(block)
    signal.throwIfAborted()
    const version = await this.#presence.knownForWriting(signal).catch((error) => {
      throw new InsertError(faultOf(error) ?? 'node', `Nothing was sent: ${String(error)}`, { cause: error })
    })
    try {
      await this.#watched(this.#writer.write(block, table, version, signal))
    } catch (error) {
      if (error instanceof NotSentError) throw new InsertError('node', error.message, { cause: error })
      throw await insertFailure(error, () => isWritten(this.#runUntil(signal), block))
    }
  }

  async hasBlock(block: BlockKey, signal: AbortSignal): Promise<boolean> {
    const run = this.#runUntil(signal)
    await this.#presence.known(signal)
    await this.#writer.settle(block.id, run, signal)
    if (await isWritten(run, block)) return true
    await sleep(BEGUN_AFTER_MS, undefined, { signal })
    await this.#writer.settle(block.id, run, signal)
    return isWritten(run, block)
  }

  activeParts(source: string, signal: AbortSignal): Promise<ActiveParts | null> {
    return activeParts(this.#runUntil(signal), source)
  }

  /** Ends its connections. What the server was told stays there. */
  async close(): Promise<void> {
    this.#presence.close()
    await Promise.all([this.#link.close(), this.#writer.close()])
  }

  async #read(query: NodeQuery, queryId: string, cut: AbortSignal): Promise<NodeAnswer> {
    const { sql, params, namespace, timeoutMs, signal } = query
    signal?.throwIfAborted()
    const sinceMs = performance.now()
    const { isCurrent } = await this.#presence.known(cut)
    const settings = {
      ...(namespace === undefined ? OWN_READ : { ...TENANT_READ, database: databaseOf(namespace) }),
      max_execution_time: Math.ceil(timeoutMs / 1000) + 1, // should no kill arrive
    }
    const bound = isCurrent ? { sql, params } : { sql: inlineParameters(sql, params) }
    const text = await this.#watched(this.#link.text({ ...bound, settings, queryId, signal: cut }))
    return serverAnswer(text, performance.now() - sinceMs)
  }

  #runUntil(signal: AbortSignal | undefined): RunSql {
    return (sql) => this.#run(sql, signal)
  }

  /** A statement of the gateway's own. */
  async #run(sql: string, signal: AbortSignal | undefined): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const text = await this.#watched(this.#link.text(own(sql, signal)))
    return text.trim() === '' ? [] : (JSON.parse(text) as { data: Readonly<Record<string, unknown>>[] }).data
  }

  /** @throws NodeRefusalError instead of what was refused, where it shows that the gateway is */
  async #watched<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      if (error instanceof NodeUnavailableError) this.#presence.lost(error)
      const refusal = faultOf(error) === 'node' ? await this.#presence.doubted() : undefined
      throw refusal ?? error
    }
  }
}

function own(sql: string, signal: AbortSignal | undefined): ServerRequest {
  return { sql, queryId: `sluice_own_${crypto.randomUUID()}`, signal }
}
