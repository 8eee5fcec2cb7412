import { type BlockBounds, type Chunk, countOf } from './chunk.js'

/** What waits for one partition, in the order in which it came. */
interface Partition {
  readonly name: string
  readonly chunks: Chunk[]
  rows: number
}

/** Chunks by partition, with running counts: asking costs nothing, however many there are. */
export class PartitionChunks {
  readonly #all = new Map<string, Partition>()
  /** Undefined: it is to be looked for. */
  #hottest: Partition | null | undefined = null
  rows = 0
  bytes = 0

  /** Partitions. */
  get size(): number {
    return this.#all.size
  }

  push(chunk: Chunk): void {
    const known = this.#all.get(chunk.partition)
    const own = known ?? { name: chunk.partition, chunks: [], rows: 0 }
    if (!known) this.#all.set(own.name, own)
    own.chunks.push(chunk)
    own.rows += countOf(chunk)
    this.rows += countOf(chunk)
    this.bytes += chunk.bytes
    if (this.#hottest === null || (this.#hottest && own.rows > this.#hottest.rows)) this.#hottest = own
  }

  /** As many chunks of a partition as one block may have; at least one, where there is any. */
  take(partition: string, { maxRows, maxBytes }: BlockBounds): Chunk[] {
    const own = this.#all.get(partition)
    if (!own) return []
    let [rows, bytes, taken] = [0, 0, 0]
    for (const chunk of own.chunks) {
      if (taken > 0 && (rows + countOf(chunk) > maxRows || bytes + chunk.bytes > maxBytes)) break
      rows += countOf(chunk)
      bytes += chunk.bytes
      taken++
    }
    const chunks = own.chunks.splice(0, taken)
    this.#gone(own, chunks)
    return chunks
  }

  /** Forgets those of some records, and says which they were. */
  drop(sequences: ReadonlySet<number>): Chunk[] {
    const dropped: Chunk[] = []
    for (const own of [...this.#all.values()]) {
      const gone: Chunk[] = []
      const left: Chunk[] = []
      for (const chunk of own.chunks.splice(0)) (sequences.has(chunk.sequence) ? gone : left).push(chunk)
      for (const chunk of left) own.chunks.push(chunk)
      for (const chunk of gone) dropped.push(chunk)
      this.#gone(own, gone)
    }
    return dropped
  }

  /** Where most rows wait; null: none do. */
  get hottest(): { readonly partition: string; readonly rows: number } | null {
    if (this.#hottest === undefined) {
      this.#hottest = null
      for (const own of this.#all.values()) if (!this.#hottest || own.rows > this.#hottest.rows) this.#hottest = own
    }
    return this.#hottest && { partition: this.#hottest.name, rows: this.#hottest.rows }
  }

  /** As they came. */
  partitions(): string[] {
    return [...this.#all.keys()]
  }

  /** The hottest first. */
  byHeat(): string[] {
    return [...this.#all.values()].sort((one, other) => other.rows - one.rows).map(({ name }) => name)
  }

  /** The first chunk of a partition, or of the first. */
  firstOf(partition: string | undefined): Chunk | undefined {
    const [own] = partition === undefined ? this.#all.values() : [this.#all.get(partition)]
    return own?.chunks[0]
  }

  *all(): Generator<Chunk> {
    for (const { chunks } of this.#all.values()) yield* chunks
  }

  #gone(own: Partition, chunks: readonly Chunk[]): void {
    for (const chunk of chunks) {
      own.rows -= countOf(chunk)
      this.rows -= countOf(chunk)
      this.bytes -= chunk.bytes
    }
    if (own.chunks.length === 0) this.#all.delete(own.name)
    if (own === this.#hottest && chunks.length > 0) this.#hottest = this.#all.size > 0 ? undefined : null
  }
}
