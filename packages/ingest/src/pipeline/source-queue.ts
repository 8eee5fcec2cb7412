import { type BlockBounds, type Chunk, type MadeBlock, makeBlock } from './chunk.js'
import { PartitionChunks } from './partition-chunks.js'
import { Tally } from './tally.js'

/** One request's events, until all of them are written. */
export interface OpenRecord {
  /** Rows that are not written yet. */
  left: number
  /** As they lie in the spool, or about that. */
  readonly bytes: number
  /** When it came, or was found by this process. */
  readonly sinceMs: number
  readonly waiters: { readonly written: () => void; readonly failed: (error: Error) => void }[]
}

/** What one data source has to be written, and how that goes. */
export class SourceQueue {
  readonly name: string
  /** In the order in which they came. */
  readonly records: Map<number, OpenRecord> = new Map()
  /** Made, and not written: what was refused, and what may be written or not. */
  readonly again: MadeBlock[] = []
  /** Blocks that were refused again and again. */
  readonly refused: Set<string> = new Set()
  /** Due, and in no block yet. */
  readonly #chunks = new PartitionChunks()
  /** Partitions whose turn comes in this round, the hottest first. */
  #round: string[] = []
  /** Rows that are accepted and not written. */
  openRows = 0
  /** What waits of it, that included which is on its way to the disk. */
  readonly waits: Tally = new Tally()
  /** Its own, and those of others that it counts in. */
  readonly #tallies: readonly Tally[]
  readonly #inFlight = new Map<string, number>()
  #whenQuiet: (() => void)[] = []
  #claiming = 0
  /** Bytes of rows that are in memory. */
  heldBytes = 0
  isPausedByOwner = false
  /** So many have it held still, as a drop does: nothing begins meanwhile, whatever its owner says. */
  holds = 0
  /** Attempts in a row that failed. */
  failures = 0
  /** No block is sent before. */
  notBeforeMs = 0
  /** Since when its events age by its own doing: what it waited for a node, or its owner, is none of it. */
  ageFromMs = 0
  /** Which node its blocks went to last. */
  node: string | null = null
  maybeDuplicatedRows = 0
  partsAskedMs: number = Number.NEGATIVE_INFINITY

  /** @param tallies that it counts in, beside its own */
  constructor(name: string, tallies: readonly Tally[] = []) {
    this.name = name
    this.#tallies = [this.waits, ...tallies]
  }

  get isPaused(): boolean {
    return this.isPausedByOwner || this.holds > 0
  }

  /** Rows, and bytes, that are due and in no block. */
  get due(): { readonly rows: number; readonly bytes: number } {
    return this.#chunks
  }

  /** Blocks that are under way: all, or those to some nodes. */
  inFlight(isMeant: (node: string) => boolean = () => true): number {
    let count = 0
    for (const [node, own] of this.#inFlight) if (isMeant(node)) count += own
    return count
  }

  begin(node: string): void {
    this.#inFlight.set(node, (this.#inFlight.get(node) ?? 0) + 1)
  }

  ended(node: string): void {
    const left = (this.#inFlight.get(node) ?? 0) - 1
    if (left > 0) this.#inFlight.set(node, left)
    else this.#inFlight.delete(node)
    this.#tellQuiet()
  }

  /** Another block is in neither list while its claim is put on disk, ahead of its turn; or is no longer. */
  claimsAhead(more: 1 | -1): void {
    this.#claiming += more
    this.#tellQuiet()
  }

  /** Blocks whose claims are put on disk, or are there, while it is not their turn. */
  get ahead(): number {
    return this.#claiming + this.again.length
  }

  /** Blocks that do not wait: they are under way, or claimed ahead. */
  get underWay(): number {
    return this.inFlight() + this.#claiming
  }

  get #isQuiet(): boolean {
    return this.underWay === 0
  }

  #tellQuiet(): void {
    if (this.#isQuiet) for (const quiet of this.#whenQuiet.splice(0)) quiet()
  }

  /** Fulfils when none is under way, or claimed ahead. */
  async quiet(): Promise<void> {
    while (!this.#isQuiet) await new Promise<void>((resolve) => this.#whenQuiet.push(resolve))
  }

  get hasWork(): boolean {
    return this.#chunks.size > 0 || this.again.length > 0
  }

  /** Where most rows wait; null: none do. */
  get hottest(): { readonly partition: string; readonly rows: number } | null {
    return this.#chunks.hottest
  }

  get partitions(): number {
    return this.#chunks.size
  }

  /** All that waits and is not under way: what is due, and what is in blocks that are to be sent or looked up again. */
  get waiting(): Chunk[] {
    return [...this.#chunks.all(), ...this.again.flatMap(({ chunks }) => chunks)]
  }

  push(chunks: readonly Chunk[]): void {
    for (const chunk of chunks) this.#chunks.push(chunk)
  }

  /** So much more waits; less than 0: what was on its way did not come. */
  count(bytes: number, pieces: number): void {
    for (const tally of this.#tallies) tally.add(bytes, pieces)
  }

  /** Of a record: all that is not written, and {@link count}ed already. */
  add(sequence: number, rows: number, bytes: number, sinceMs: number): void {
    this.records.set(sequence, { left: rows, bytes, sinceMs, waiters: [] })
    this.openRows += rows
  }

  /**
   * A chunk of it is written.
   * @param rows 0: none is left of the record that is not written
   * @returns whether the record is written whole
   */
  written(sequence: number, rows: number): boolean {
    const record = this.records.get(sequence)
    if (!record) return false
    if (rows > 0) this.count(0, -1)
    record.left -= rows
    this.openRows -= rows
    if (record.left > 0) return false
    this.records.delete(sequence)
    for (const tally of this.#tallies) tally.written(record.bytes)
    for (const { written } of record.waiters) written()
    return true
  }

  /** Which record the next block begins with, where they go as they came. */
  get firstDue(): number {
    return this.#chunks.firstOf(this.#round[0])?.sequence ?? 0
  }

  /** When the oldest event came that is not written; null: there is none. */
  get oldestSinceMs(): number | null {
    for (const { sinceMs } of this.records.values()) return sinceMs
    return null
  }

  /**
   * The next block: in each round every partition has its turn, the hottest first, so that draining soon helps most and
   * no partition waits for ever.
   * @param inOrder true: as they came
   */
  take(id: string, bounds: BlockBounds, inOrder = false): MadeBlock | null {
    if (this.#round.length === 0) this.#round = inOrder ? this.#chunks.partitions() : this.#chunks.byHeat()
    for (let partition = this.#round.shift(); partition !== undefined; partition = this.#round.shift()) {
      const chunks = this.#chunks.take(partition, bounds)
      if (chunks.length > 0) return makeBlock(id, this.name, partition, chunks)
    }
    return this.#chunks.size > 0 ? this.take(id, bounds, inOrder) : null
  }

  /** Fulfils once a record is written whole, or at once where it is not known any more. */
  whenWritten(sequence: number): Promise<void> {
    const record = this.records.get(sequence)
    if (!record) return Promise.resolve()
    return new Promise((written, failed) => record.waiters.push({ written, failed }))
  }

  /**
   * Forgets some records, and all blocks; none may be under way.
   * @param error what those that wait for them are told
   * @returns what was due of them
   */
  drop(sequences: ReadonlySet<number>, error: Error): Chunk[] {
    this.refused.clear()
    const dropped = this.again.splice(0).flatMap(({ chunks }) => chunks)
    for (const chunk of this.#chunks.drop(sequences)) dropped.push(chunk)
    this.count(0, -dropped.length)
    for (const sequence of sequences) {
      const record = this.records.get(sequence)
      this.records.delete(sequence)
      this.openRows -= record?.left ?? 0
      this.count(-(record?.bytes ?? 0), 0)
      for (const { failed } of record?.waiters ?? []) failed(error)
    }
    return dropped
  }
}
