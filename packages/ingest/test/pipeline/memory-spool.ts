import type { Clock } from '@sluice/core'
import type { DurableSpool, KeptEvents, PayloadPart } from '@sluice/ingest'
import type { Claim, KeptClaim } from '@sluice/ingest/spool'

/** What outlives a process. */
export interface Disk {
  nextSequence: number
  readonly records: Map<number, KeptEvents>
  readonly claims: Map<number, KeptClaim>
}

export const emptyDisk = (): Disk => ({ nextSequence: 1, records: new Map(), claims: new Map() })

/** A spool whose disk is an object: for tests in virtual time. */
export class MemorySpool implements DurableSpool {
  readonly disk: Disk
  readonly claims: readonly KeptClaim[]
  readonly #clock: Clock
  readonly #bySource = new Map<string, Map<number, KeptEvents>>()
  /** By data source; undefined: of all. */
  readonly #bytes = new Map<string | undefined, number>()
  /** What the disk says instead of keeping it. */
  fails = false
  isClosed = false
  /** Of records that were asked for since. */
  bytesRead = 0
  /** With its process. */
  isGone = false

  constructor(clock: Clock, disk: Disk = emptyDisk()) {
    this.#clock = clock
    this.disk = disk
    for (const record of [...disk.records.values()]) this.#add(record)
    this.claims = [...disk.claims.values()].filter(({ rows }) => rows.some(([one]) => disk.records.has(one)))
  }

  async append(source: string, pieces: readonly Uint8Array[]): Promise<number> {
    const sequence = this.#next()
    this.#add({ sequence, source, payload: Buffer.concat(pieces), atMs: this.#clock.wallNow() })
    return sequence
  }

  async claim(claim: Claim): Promise<number> {
    const sequence = this.#next()
    this.disk.claims.set(sequence, { ...claim, sequence, isDone: false })
    return sequence
  }

  async done(sequences: readonly number[]): Promise<void> {
    this.#next()
    for (const sequence of sequences) {
      this.#delete(sequence)
      const claim = this.disk.claims.get(sequence)
      if (claim) this.disk.claims.set(sequence, { ...claim, isDone: true })
    }
  }

  async read(sequences: readonly number[]): Promise<KeptEvents[]> {
    const records = sequences.flatMap((sequence) => this.disk.records.get(sequence) ?? [])
    for (const { payload } of records) this.bytesRead += payload.length
    return records
  }

  async readParts(parts: readonly PayloadPart[]): Promise<(Uint8Array | undefined)[]> {
    return parts.map(({ sequence, offset, bytes }) => {
      this.bytesRead += bytes
      return this.disk.records.get(sequence)?.payload.subarray(offset, offset + bytes)
    })
  }

  async *records(): AsyncGenerator<KeptEvents> {
    yield* [...this.disk.records.values()]
  }

  backlog(source?: string): { bytes: number; oldestAtMs: number | null } {
    const own = source === undefined ? this.disk.records : this.#bySource.get(source)
    for (const { atMs } of own?.values() ?? []) return { bytes: this.#bytes.get(source) ?? 0, oldestAtMs: atMs }
    return { bytes: 0, oldestAtMs: null }
  }

  async close(): Promise<void> {
    this.isClosed = true
  }

  #add(record: KeptEvents): void {
    const { source, sequence, payload } = record
    const own = this.#bySource.get(source) ?? new Map<number, KeptEvents>()
    this.#bySource.set(source, own)
    own.set(sequence, record)
    this.disk.records.set(sequence, record)
    for (const key of [source, undefined]) this.#bytes.set(key, (this.#bytes.get(key) ?? 0) + payload.length)
  }

  #delete(sequence: number): void {
    const record = this.disk.records.get(sequence)
    if (!record) return
    this.disk.records.delete(sequence)
    this.#bySource.get(record.source)?.delete(sequence)
    for (const key of [record.source, undefined])
      this.#bytes.set(key, (this.#bytes.get(key) ?? 0) - record.payload.length)
  }

  #next(): number {
    if (this.fails) throw new Error('EIO')
    if (this.isClosed || this.isGone) throw new Error('closed')
    return this.disk.nextSequence++
  }
}
