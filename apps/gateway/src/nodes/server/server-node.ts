import { setTimeout as sleep } from 'node:timers/promises'
import { type ActiveParts, type Block, InsertError } from '@sluice/ingest'
import { within } from '../../within.js'
import { bounded } from '../bounded.js'
import { EngineError } from '../engine-error.js'
import { faultOf, insertFailure } from '../insert-fault.js'
import type { NodeAnswer, NodeQuery, NodeState, RunningQuery } from '../node.js'
import { NodeUnavailableError } from '../node-unavailable-error.js'
import { activeParts, type BlockKey, isWritten, tableOfBlock } from '../sql/block-sql.js'
import { defineTable, type RunSql } from '../sql/define-table.js'
import { databaseOf, tableOf } from '../sql/table-name.js'
import type { StoreNode, TableDefinition } from '../store-node.js'
import { BlockWriter } from './block-writer.js'
import { inlineParameters } from './inline-parameters.js'
import { ANSWER_AFTER_KILL_MS, killUntil } from './kill.js'
import { serverAnswer } from './server-answer.js'
import { NotSentError, ServerLink, type ServerRequest } from './server-link.js'
import { checkServer, type ServerNodeOptions } from './server-options.js'
import { type ServerVersion, serverVersion } from './server-version.js'

export type { Replicated, ServerNodeOptions } from './server-options.js'

/** For queries and questions; the limiter before them is lower. */
const CONNECTIONS = 256
/** Reads cannot write, create or change `readonly` itself; 64-bit integers are quoted, or JSON would round them. */
const READ = { readonly: 2, output_format_json_quote_64bit_integers: 1 }
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
  #state: NodeState = 'starting'
  #version: ServerVersion | undefined

  /** @throws ConfigError */
  constructor(options: ServerNodeOptions) {
    checkServer(options)
    this.name = options.name
    this.#options = options
    this.#link = new ServerLink(options, CONNECTIONS)
    this.#writer = new BlockWriter(options, (sql, signal) => this.#run(sql, signal))
  }

  get state(): NodeState {
    return this.#state
  }

  /** Asks the server for its version. One that does not answer is no error: it may come. */
  async start(): Promise<void> {
    const { logger } = this.#options
    await within(START_TIMEOUT_MS, new Error('it does not answer'), (late) => this.#knownVersion(late))
      .then(({ text }) => logger.info('server answers', { node: this.name, version: text }))
      .catch((error) => logger.warn('server does not answer yet', { node: this.name, error: String(error) }))
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
    await this.#run('SELECT 1', signal).catch((error) => {
      if (signal.aborted) this.#isDown() // nothing but this tells it of one that is silent
      throw error
    })
  }

  async define(table: TableDefinition, signal: AbortSignal): Promise<void> {
    const { isCurrent } = await this.#knownVersion(signal)
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
    const version = await this.#knownVersion(signal).catch((error) => {
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
    await Promise.all([this.#link.close(), this.#writer.close()])
  }

  async #read(query: NodeQuery, queryId: string, cut: AbortSignal): Promise<NodeAnswer> {
    const { sql, params, namespace, timeoutMs, signal } = query
    signal?.throwIfAborted()
    const sinceMs = performance.now()
    const { isCurrent } = await this.#knownVersion(cut)
    const settings = {
      ...READ,
      max_execution_time: Math.ceil(timeoutMs / 1000) + 1, // should no kill arrive
      ...(namespace !== undefined && { database: databaseOf(namespace) }),
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
    const request: ServerRequest = { sql, queryId: `sluice_own_${crypto.randomUUID()}`, signal }
    const text = await this.#watched(this.#link.text(request))
    return text.trim() === '' ? [] : (JSON.parse(text) as { data: Readonly<Record<string, unknown>>[] }).data
  }

  async #knownVersion(signal: AbortSignal | undefined): Promise<ServerVersion> {
    this.#version ??= serverVersion(String((await this.#run('SELECT version() AS version', signal))[0]?.version))
    return this.#version
  }

  /** Whoever answers is up, be it with a refusal. */
  async #watched<T>(answer: Promise<T>): Promise<T> {
    try {
      const it = await answer
      this.#state = 'up'
      return it
    } catch (error) {
      if (error instanceof EngineError) this.#state = 'up'
      else if (error instanceof NodeUnavailableError) this.#isDown()
      throw error
    }
  }

  #isDown(): void {
    this.#state = 'down'
    this.#version = undefined // it may come back as another one
  }
}
