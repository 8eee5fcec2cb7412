import { type BlockBounds, type Chunk, countOf, type MadeBlock, makeBlock } from './chunk.js'

/** One request's events, until all of them are written. */
export interface OpenRecord {
  /** Rows that are not written yet. */
  left: number
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
  readonly #chunks = new Map<string, Chunk[]>()
  /** Partitions whose turn comes in this round, the hottest first. */
  #round: string[] = []
  #rows = 0
  #bytes = 0
  /** Rows that are accepted and not written. */
  openRows = 0
  readonly #inFlight = new Map<string, number>()
  #whenQuiet: (() => void)[] = []
  #isClaimingAhead = false
  /** Bytes of rows that are in memory. */
  heldBytes = 0
  isPaused = false
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

  constructor(name: string) {
    this.name = name
  }

  /** Rows, and bytes, that are due and in no block. */
  get due(): { readonly rows: number; readonly bytes: number } {
    return { rows: this.#rows, bytes: this.#bytes }
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

  /** A block of it is in neither list while its claim is put on disk, ahead of its turn. */
  set isClaimingAhead(is: boolean) {
    this.#isClaimingAhead = is
    this.#tellQuiet()
  }

  get isClaimingAhead(): boolean {
    return this.#isClaimingAhead
  }

  get #isQuiet(): boolean {
    return this.#inFlight.size === 0 && !this.#isClaimingAhead
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
    const [partition] = this.#byHeat()
    return partition === undefined ? null : { partition, rows: rowsIn(this.#chunks.get(partition)) }
  }

  get partitions(): number {
    return this.#chunks.size
  }

  push(chunks: readonly Chunk[]): void {
    for (const chunk of chunks) {
      const own = this.#chunks.get(chunk.partition)
      if (own) own.push(chunk)
      else this.#chunks.set(chunk.partition, [chunk])
      this.#rows += countOf(chunk)
      this.#bytes += chunk.bytes
    }
  }

  /** Of a record: all that is not written. */
  add(sequence: number, rows: number, sinceMs: number): void {
    this.records.set(sequence, { left: rows, sinceMs, waiters: [] })
    this.openRows += rows
  }

  /** @returns whether the record is written whole */
  written(sequence: number, rows: number): boolean {
    const record = this.records.get(sequence)
    if (!record) return false
    record.left -= rows
    this.openRows -= rows
    if (record.left > 0) return false
    this.records.delete(sequence)
    for (const { written } of record.waiters) written()
    return true
  }

  /** Which record the next block begins with, where they go as they came. */
  get firstDue(): number {
    const [first] = this.#round.length > 0 ? [this.#chunks.get(this.#round[0] ?? '')] : this.#chunks.values()
    return first?.[0]?.sequence ?? 0
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
  take(id: string, { maxRows, maxBytes }: BlockBounds, inOrder = false): MadeBlock | null {
    if (this.#round.length === 0) this.#round = inOrder ? [...this.#chunks.keys()] : this.#byHeat()
    for (let partition = this.#round.shift(); partition !== undefined; partition = this.#round.shift()) {
      const waiting = this.#chunks.get(partition)
      if (!waiting) continue
      let [rows, bytes, taken] = [0, 0, 0]
      for (const chunk of waiting) {
        if (taken > 0 && (rows + countOf(chunk) > maxRows || bytes + chunk.bytes > maxBytes)) break
        rows += countOf(chunk)
        bytes += chunk.bytes
        taken++
      }
      const chunks = waiting.splice(0, taken)
      if (waiting.length === 0) this.#chunks.delete(partition)
      this.#rows -= rows
      this.#bytes -= bytes
      return makeBlock(id, this.name, partition, chunks)
    }
    return this.#chunks.size > 0 ? this.take(id, { maxRows, maxBytes }, inOrder) : null
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
    for (const [partition, chunks] of this.#chunks) {
      const left = chunks.filter(({ sequence }) => !sequences.has(sequence))
      const gone = chunks.filter(({ sequence }) => sequences.has(sequence))
      if (left.length === 0) this.#chunks.delete(partition)
      else this.#chunks.set(partition, left)
      this.#rows -= rowsIn(gone)
      this.#bytes -= gone.reduce((sum, { bytes }) => sum + bytes, 0)
      dropped.push(...gone)
    }
    for (const sequence of sequences) {
      const record = this.records.get(sequence)
      this.records.delete(sequence)
      this.openRows -= record?.left ?? 0
      for (const { failed } of record?.waiters ?? []) failed(error)
    }
    return dropped
  }

  #byHeat(): string[] {
    const rows = [...this.#chunks].map(([partition, chunks]) => ({ partition, rows: rowsIn(chunks) }))
    return rows.sort((one, other) => other.rows - one.rows).map(({ partition }) => partition)
  }
}

const rowsIn = (chunks: readonly Chunk[] = []): number => chunks.reduce((sum, chunk) => sum + countOf(chunk), 0)
