import { type ActiveParts, type Block, InsertError, linesOfBlock } from '@sluice/ingest'
import { bounded } from '../bounded.js'
import { insertFailure } from '../insert-fault.js'
import type { NodeQuery, NodeState, NodeTrouble, RunningQuery } from '../node.js'
import { activeParts, type BlockKey, isWritten, tableOfBlock } from '../sql/block-sql.js'
import { defineTable, type RunSql } from '../sql/define-table.js'
import type { StoreNode, TableDefinition } from '../store-node.js'
import type { Asked, ChildLink } from './child-link.js'
import { type EmbeddedNodeOptions, Supervisor } from './supervisor.js'
import { placeOf, type TenantRole, tenantRoles } from './tenant-role.js'

export type { EmbeddedNodeOptions } from './supervisor.js'

/** ClickHouse inside a child process, which is started again whenever it ends. */
export class EmbeddedNode implements StoreNode {
  readonly name: string
  readonly #roles: ReadonlyMap<string, TenantRole>
  readonly #engine: Supervisor

  constructor(options: EmbeddedNodeOptions) {
    this.name = options.name ?? 'clickhouse-1'
    this.#roles = tenantRoles(options.tenants ?? [])
    this.#engine = new Supervisor({ ...options, name: this.name, roles: [...this.#roles.values()] })
  }

  /** Starts the engine and loads the data; until then queries are refused. @throws EngineStartError */
  start(): Promise<void> {
    return this.#engine.start()
  }

  get state(): NodeState {
    return this.#engine.state
  }

  get trouble(): NodeTrouble | undefined {
    return this.state === 'down' ? { kind: 'silent', words: 'does not start' } : undefined
  }

  query({ sql, params, namespace, ...bounds }: NodeQuery): RunningQuery {
    try {
      bounds.signal?.throwIfAborted()
      const place = namespace === undefined ? {} : { place: placeOf(namespace, this.#roles) }
      const { answer, cancel } = this.#engine.link.query({ sql, params, ...place })
      const end = () => undefined
      return { answer: bounded(answer, cancel, bounds), ended: answer.then(end, end) }
    } catch (error) {
      return { answer: Promise.reject(error), ended: Promise.resolve() }
    }
  }

  async ping(signal: AbortSignal): Promise<void> {
    await heard(this.#engine.link.ping(), signal)
  }

  async define(table: TableDefinition, signal: AbortSignal): Promise<void> {
    await defineTable(runOn(this.#engine.link, signal), table, { engine: 'MergeTree', settings: [] })
  }

  async insert(block: Block, signal: AbortSignal): Promise<void> {
    const { database, table } = tableOfBlock(block)
    signal.throwIfAborted()
    const link = this.#linkForInsert()
    try {
      await heard(
        link.insert({ block: block.id, table: `${database}.${table}`, count: block.count, pieces: fewPieces(block) }),
        signal,
      )
    } catch (error) {
      throw await insertFailure(error, () => isWritten(runOn(link, signal), block))
    }
  }

  async hasBlock(block: BlockKey, signal: AbortSignal): Promise<boolean> {
    const { link } = this.#engine
    await heard(link.settle(block.id), signal)
    return isWritten(runOn(link, signal), block)
  }

  activeParts(source: string, signal: AbortSignal): Promise<ActiveParts | null> {
    return activeParts(runOn(this.#engine.link, signal), source)
  }

  /** Ends it and removes what it made. Queries still running are killed. */
  close(): Promise<void> {
    return this.#engine.close()
  }

  /** Without a child nothing was sent. */
  #linkForInsert(): ChildLink {
    try {
      return this.#engine.link
    } catch (error) {
      throw new InsertError('node', 'The engine is being started.', { cause: error })
    }
  }
}

/** What is sent to another process costs something for each piece, however short. */
const MOST_PIECES = 100

function fewPieces(block: Block): readonly Uint8Array[] {
  return block.pieces.length > MOST_PIECES ? [linesOfBlock(block)] : block.pieces
}

/** Its answer, unless the signal is aborted first: then it is killed. */
function heard<T>({ answer, cancel }: Asked<T>, signal: AbortSignal | undefined): Promise<T> {
  return bounded(answer, cancel, { signal })
}

function runOn(link: ChildLink, signal: AbortSignal | undefined): RunSql {
  return (sql) => heard(link.run(sql), signal)
}
