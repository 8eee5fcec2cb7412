import { type ActiveParts, type Block, type IngestNode, InsertError } from '@sluice/ingest'
import type { NodeState } from '../nodes/node.js'
import { SchemaConflictError } from '../nodes/schema-conflict-error.js'
import type { StoreNode } from '../nodes/store-node.js'
import type { DataSource } from './data-source.js'

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

  /** Makes its table, or adds what it lacks. */
  async define(source: DataSource, signal: AbortSignal): Promise<void> {
    await this.#node.define(source.table, signal)
    this.#defined.set(source.key, source)
  }

  async insert(block: Block, signal: AbortSignal): Promise<void> {
    try {
      await this.#prepare(block.source, signal)
    } catch (error) {
      // Nothing was written: no insert has begun.
      const fault = error instanceof SchemaConflictError || error instanceof UndefinedSourceError ? 'source' : 'node'
      throw new InsertError(fault, error instanceof Error ? error.message : String(error), { cause: error })
    }
    await this.#node.insert(block, signal)
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

class UndefinedSourceError extends Error {
  override readonly name = 'UndefinedSourceError'
}
