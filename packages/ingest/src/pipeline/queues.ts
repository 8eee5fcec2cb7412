import type { Clock } from '@sluice/core'
import { DrainRate } from '../drain-rate.js'
import type { Chunk, MadeBlock } from './chunk.js'
import { SourceQueue } from './source-queue.js'

/** Of all memory for rows, what one data source may have. */
const SHARE = 1 / 4

/** All data sources that have something to be written, and whose turn it is. */
export class Queues {
  readonly #all = new Map<string, SourceQueue>()
  /** In turn: who had a block sent goes to the end. */
  readonly #withWork = new Map<string, SourceQueue>()
  readonly #maxHeldBytes: number
  #heldBytes = 0
  /** Bytes of all of them. */
  readonly drained: DrainRate
  maybeDuplicatedBlocks = 0

  constructor(maxHeldBytes: number, clock: Clock) {
    this.#maxHeldBytes = maxHeldBytes
    this.drained = new DrainRate({ clock })
  }

  of(source: string): SourceQueue {
    const queue = this.#all.get(source) ?? new SourceQueue(source)
    this.#all.set(source, queue)
    return queue
  }

  find(source: string): SourceQueue | undefined {
    return this.#all.get(source)
  }

  all(): SourceQueue[] {
    return [...this.#all.values()]
  }

  forget({ name }: SourceQueue): void {
    this.#all.delete(name)
    this.#withWork.delete(name)
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

  /** Whether so many bytes of rows more may stay in memory; then they count. */
  hold(queue: SourceQueue, bytes: number): boolean {
    const isTooMuch =
      this.#heldBytes + bytes > this.#maxHeldBytes || queue.heldBytes + bytes > SHARE * this.#maxHeldBytes
    if (!isTooMuch) this.held(queue, bytes)
    return !isTooMuch
  }

  held(queue: SourceQueue, bytes: number): void {
    this.#heldBytes += bytes
    queue.heldBytes += bytes
  }

  /** Forgets some records of it, and all its blocks. */
  drop(queue: SourceQueue, sequences: ReadonlySet<number>, error: Error): void {
    this.release(queue, queue.drop(sequences, error))
    this.settle(queue)
  }

  /** Out of memory: they are in the spool. */
  release(queue: SourceQueue, chunks: readonly Chunk[]): Chunk[] {
    return chunks.map((chunk) => {
      if (chunk.lines) this.held(queue, -chunk.bytes)
      return { ...chunk, lines: null }
    })
  }

  released(queue: SourceQueue, block: MadeBlock): MadeBlock {
    return { ...block, chunks: this.release(queue, block.chunks) }
  }
}
