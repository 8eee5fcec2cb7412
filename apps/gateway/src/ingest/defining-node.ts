import { type ActiveParts, type Block, type IngestNode, InsertError, type InsertFault } from '@sluice/ingest'
import { EngineError } from '../nodes/engine-error.js'
import type { NodeState } from '../nodes/node.js'
import { SchemaConflictError } from '../nodes/schema-conflict-error.js'
import { NO_TABLE } from '../nodes/sql/block-sql.js'
import type { StoreNode } from '../nodes/store-node.js'
import { NotKeptError } from '../state/not-kept-error.js'
import type { DataSource } from './data-source.js'

/** ClickHouse's number for a disk that is full. */
const NOT_ENOUGH_SPACE = 243

/**
 * A node that has the table of a data source before the first block of it arrives: one that was down when it was defined,
 * or is new, has it made then.
 */
export class DefiningNode implements IngestNode {
  readonly #node: StoreNode
  readonly #find: (key: string) => DataSource | undefined
  /** As which this process last saw it defined there. */
  readonly #defined = new Map<string, DataSource>()

  constructor(node: StoreNode, find: (key: string) => DataSource | undefined) {
    this.#node = node
    this.#find = find
  }

  get name(): string {
    return this.#node.name
  }

  get state(): NodeState {
    return this.#node.state
  }

  ping(signal: AbortSignal): Promise<void> {
    return this.#node.ping(signal)
  }

  /** Makes its table, or adds what it lacks. @throws NotKeptError where the node's disk is full; what else the node says */
  async define(source: DataSource, signal: AbortSignal): Promise<void> {
    try {
      await this.#node.define(source.table, signal)
    } catch (error) {
      const isFull = error instanceof EngineError && error.clickhouseCode === NOT_ENOUGH_SPACE
      throw isFull ? new NotKeptError(`The table of ${source.key} on ${this.name}`, error) : error
    }
    this.#defined.set(source.key, source)
  }

  /** It was deleted. */
  forget(key: string): void {
    this.#defined.delete(key)
  }

  async insert(block: Block, signal: AbortSignal): Promise<void> {
    try {
      await this.#prepare(block.source, signal)
    } catch (error) {
      // Nothing was written: no insert has begun.
      throw new InsertError(faultOf(error), error instanceof Error ? error.message : String(error), { cause: error })
    }
    try {
      await this.#node.insert(block, signal)
    } catch (error) {
      // It had it once, and has lost it: it is made again before the next try.
      const { cause } = error instanceof InsertError ? error : {}
      if (cause instanceof EngineError && NO_TABLE.has(cause.clickhouseCode)) this.#defined.delete(block.source)
      throw error
    }
  }

  async hasBlock(block: Pick<Block, 'id' | 'source' | 'partition'>, signal: AbortSignal): Promise<boolean> {
    await this.#prepare(block.source, signal)
    return this.#node.hasBlock(block, signal)
  }

  async activeParts(source: string, signal: AbortSignal): Promise<ActiveParts | null> {
    await this.#prepare(source, signal)
    return this.#node.activeParts(source, signal)
  }

  async #prepare(key: string, signal: AbortSignal): Promise<void> {
    const source = this.#find(key)
    if (source === undefined) throw new UndefinedSourceError(`There is no definition of ${key}.`)
    if (this.#defined.get(key) !== source) await this.define(source, signal)
  }
}

function faultOf(error: unknown): InsertFault {
  if (error instanceof SchemaConflictError || error instanceof UndefinedSourceError) return 'source'
  return error instanceof NotKeptError ? 'resources' : 'node'
}

class UndefinedSourceError extends Error {
  override readonly name = 'UndefinedSourceError'
}
