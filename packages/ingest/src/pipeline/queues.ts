import type { Clock } from '@sluice/core'
import type { Backlog } from '../bounds/bounds.js'
import { DrainRate } from '../drain-rate.js'
import { type Chunk, letGo, type MadeBlock } from './chunk.js'
import { SourceQueue } from './source-queue.js'
import { Tally, TenantTally } from './tally.js'

/** Of all memory for rows, what one data source may have. */
const SHARE = 1 / 4

/** What a piece in memory takes beside its rows. */
const PIECE_BYTES = 256

/** All data sources that have something to be written, and whose turn it is. */
export class Queues {
  readonly #all = new Map<string, SourceQueue>()
  /** In turn: who had a block sent goes to the end. */
  readonly #withWork = new Map<string, SourceQueue>()
  readonly #maxHeldBytes: number
  #heldBytes = 0
  /** Bytes of all of them. */
  readonly drained: DrainRate
  /** What waits of all of them. */
  readonly waits: Tally = new Tally()
  maybeDuplicatedBlocks = 0
  readonly #clock: Clock
  readonly #tenantOf: ((source: string) => string) | undefined
  readonly #tenants = new Map<string, TenantTally>()

  /** @param tenantOf undefined: there are none */
  constructor(maxHeldBytes: number, clock: Clock, tenantOf?: (source: string) => string) {
    this.#maxHeldBytes = maxHeldBytes
    this.#clock = clock
    this.#tenantOf = tenantOf
    this.drained = new DrainRate({ clock })
  }

  of(source: string): SourceQueue {
    const known = this.#all.get(source)
    if (known) return known
    const name = this.#tenantOf?.(source)
    const tenant = name === undefined ? undefined : (this.#tenants.get(name) ?? new TenantTally(this.#clock))
    if (name !== undefined && tenant) {
      this.#tenants.set(name, tenant)
      tenant.queues++
    }
    const queue = new SourceQueue(source, tenant ? [tenant, this.waits] : [this.waits])
    this.#all.set(source, queue)
    return queue
  }

  /** What waits of its tenant's data sources. Undefined: there are no tenants. */
  waitsOfTenant(source: string): Omit<Backlog, 'oldestMs'> | undefined {
    if (!this.#tenantOf) return undefined
    const { bytes = 0, pieces = 0, drained } = this.#tenants.get(this.#tenantOf(source)) ?? {}
    return { bytes, pieces, drainedPerSecond: drained?.perSecond ?? 0 }
  }

  find(source: string): SourceQueue | undefined {
    return this.#all.get(source)
  }

  all(): SourceQueue[] {
    return [...this.#all.values()]
  }

  forget({ name }: SourceQueue): void {
    this.#withWork.delete(name)
    if (!this.#all.delete(name)) return
    const tenant = this.#tenantOf?.(name) ?? ''
    const tally = this.#tenants.get(tenant)
    if (tally && --tally.queues === 0) this.#tenants.delete(tenant)
  }

  /** Something of it is due. */
  push(queue: SourceQueue, chunks: readonly Chunk[]): void {
    queue.push(chunks)
    this.settle(queue)
  }

  /** Whether it has work has changed. */
  settle(queue: SourceQueue): void {
    if (!queue.hasWork) this.#withWork.delete(queue.name)
    else if (!this.#withWork.has(queue.name)) this.#withWork.set(queue.name, queue)
  }

  turnOver(queue: SourceQueue): void {
    this.#withWork.delete(queue.name)
    this.settle(queue)
  }

  /** Whose turn it is. One that is turned over meanwhile comes again, behind all others. */
  inTurn(): Iterable<SourceQueue> {
    return this.#withWork.values()
  }

  /** Whose events came first. */
  inOrder(): SourceQueue[] {
    return [...this.#withWork.values()].sort((one, other) => one.firstDue - other.firstDue)
  }

  /** Whether another piece with so many bytes of rows may stay in memory; then it counts. */
  hold(queue: SourceQueue, bytes: number): boolean {
    const all = bytes + PIECE_BYTES
    const isTooMuch = this.#heldBytes + all > this.#maxHeldBytes || queue.heldBytes + all > SHARE * this.#maxHeldBytes
    if (!isTooMuch) this.held(queue, bytes)
    return !isTooMuch
  }

  /** A piece more with so many bytes of rows is in memory; less than 0: one less. */
  held(queue: SourceQueue, bytes: number): void {
    const all = bytes + Math.sign(bytes) * PIECE_BYTES
    this.#heldBytes += all
    queue.heldBytes += all
  }

  /** Forgets some records of it, and all its blocks. */
  drop(queue: SourceQueue, sequences: ReadonlySet<number>, error: Error): void {
    this.release(queue, queue.drop(sequences, error))
    this.settle(queue)
  }

  /** Nothing more is written by this process. */
  dropAll(error: Error): void {
    for (const queue of this.all()) this.drop(queue, new Set(queue.records.keys()), error)
  }

  /** Out of memory: they are in the spool. */
  release(queue: SourceQueue, chunks: readonly Chunk[]): Chunk[] {
    return chunks.map((chunk) => {
      if (chunk.lines) this.held(queue, -chunk.bytes)
      return letGo(chunk)
    })
  }

  released(queue: SourceQueue, block: MadeBlock): MadeBlock {
    return { ...block, chunks: this.release(queue, block.chunks) }
  }
}
