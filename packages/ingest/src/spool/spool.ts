import { type Clock, systemClock } from '@sluice/core'
import { complete, type Fields } from '../settings.js'
import { decodeEvents, encodeDone, encodeHead } from './body.js'
import { type Claim, encodeClaim, type KeptClaim } from './claim.js'
import { type Fault, type SegmentFile, SpoolFiles } from './files.js'
import { Grouping } from './grouping.js'
import type { KeptRecord, KeptRecords, SpoolBacklog } from './kept-records.js'
import { type Left, look, type Segment, type SpoolFindings } from './look.js'
import { bytesOfRecord, encodeRecords, type NewRecord, readRecords } from './record.js'
import { Room, SpoolFullError } from './room.js'

/** What a {@link Spool} can be told (I4). */
export interface SpoolOptions {
  /**
   * From the beginning of a group on an append waits at most so long for others, to be put on disk with them, in ms; with a
   * quick disk twice as long as that group took. Default 5.
   */
  groupMs?: number | undefined
  /** A segment is followed by another when it has so many bytes. Default 67 108 864: 64 MiB. */
  segmentBytes?: number | undefined
  /**
   * Bytes of the disk that events leave alone: an append that would take of them is refused, so that claims and marks can
   * be written, and what is kept can go. Default 33 554 432: 32 MiB.
   */
  reserveBytes?: number | undefined
  /** Bytes that the disk has left. Default: asks the file system. */
  freeBytes?: (() => Promise<number>) | undefined
  /** For tests. */
  fault?: Fault | undefined
  /** Default: the system's. */
  clock?: Clock | undefined
}

const FIELDS = {
  groupMs: [5, 'a number of at least 0'],
  segmentBytes: [67_108_864, 'an integer of at least 1'],
  reserveBytes: [33_554_432, 'a number of at least 0'],
} as const satisfies Fields

/** Events of one request, as they were accepted. */
export interface SpooledEvents {
  readonly sequence: number
  readonly source: string
  /** When they came, in epoch ms. */
  readonly atMs: number
  readonly payload: Uint8Array
}

interface Waiting {
  readonly record: NewRecord
  /** As it will lie on disk. */
  readonly bytes: number
  readonly written: (segment: SegmentFile, offset: number, bytes: number) => void
  readonly failed: (error: unknown) => void
}

/**
 * Events on disk before they are acknowledged (I4): append-only segments of records with checksums, put on disk in
 * groups. What is not marked as done is there again after a crash, and what was cut off in the midst of a write was never
 * acknowledged. One process at a time may have a folder.
 *
 * A segment is removed once everything in it, and in those before it, is done.
 */
export class Spool {
  readonly #files: SpoolFiles
  readonly #settings: Readonly<Record<keyof typeof FIELDS, number>>
  readonly #clock: Clock
  readonly #room: Room
  readonly findings: SpoolFindings
  /** The blocks that an earlier process may have sent, of which some rows are still kept; in the order of their claims. */
  readonly claims: readonly KeptClaim[]
  readonly #openClaims: Set<number>
  readonly #kept: KeptRecords
  /** Oldest first; the last is the open one, if there is one. */
  readonly #segments: Segment[]
  #nextSequence: number
  #open: SegmentFile | null = null
  readonly #groups: Grouping<Waiting>
  #removing: Promise<void> = Promise.resolve()
  #isClosed = false

  private constructor(files: SpoolFiles, options: SpoolOptions, left: Left) {
    const { fault, clock = systemClock, freeBytes = () => files.freeBytes(), ...rest } = options
    this.#files = files
    this.#settings = complete('Spool', FIELDS, rest)
    this.#clock = clock
    this.#groups = new Grouping(this.#settings.groupMs, clock, (group) => this.#put(group))
    this.#room = new Room(freeBytes, this.#settings.reserveBytes, clock)
    this.#kept = left.kept
    this.#segments = left.segments
    this.#nextSequence = left.nextSequence
    this.findings = left.findings
    this.claims = left.claims
    this.#openClaims = new Set(left.claims.map(({ sequence }) => sequence))
  }

  /**
   * Opens a spool, and reads what an earlier process left there.
   * @param folder one that is there, and nobody else's
   * @throws TypeError that names the option, its value and what is allowed; what the file system says
   */
  static async open(folder: string, options: SpoolOptions = {}): Promise<Spool> {
    const files = new SpoolFiles(folder, options.fault)
    return new Spool(files, options, await look(files))
  }

  /** What waits to be marked as done: bytes, and when the oldest of it came in epoch ms; of one data source, or of all. */
  backlog(source?: string): SpoolBacklog {
    return this.#kept.backlog(source)
  }

  /** Bytes of all segments, those included that are done and cannot go yet. */
  get diskBytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /**
   * Keeps the events of one request.
   * @returns its sequence number, once it is on disk: acknowledge then
   * @throws what the file system said, where it may not be on disk: then do not acknowledge. It may be there all the same
   */
  append(source: string, payload: Uint8Array): Promise<number> {
    const sequence = this.#nextSequence++
    const atMs = this.#clock.wallNow()
    const body = [encodeHead({ source, atMs }), payload]
    return this.#write({ kind: 'events', sequence, body }, ({ path, seed }, offset, bytes) => {
      this.#kept.add({ sequence, source, atMs, path, seed, offset, bytes })
      const segment = this.#segments.at(-1)
      if (segment) segment.last = sequence
    }).then(() => sequence)
  }

  /**
   * Puts on disk which rows are one block, and where it goes: send it then, and not before.
   * @returns its sequence number, to be marked as done with the records that the block completes
   * @throws what the file system said: then do not send it. The claim may be there all the same, so keep the block's id
   */
  async claim(claim: Claim): Promise<number> {
    const sequence = this.#nextSequence++
    const record = { kind: 'claim', sequence, body: [encodeClaim(claim)] } as const
    await this.#write(record, () => void this.#openClaims.add(sequence))
    return sequence
  }

  /**
   * Marks records and claims as done: they are written, and nothing of them comes again after a crash once this returns.
   * All of them, or none.
   * @param sequences what is not known, or is done, is passed over
   */
  async done(sequences: readonly number[]): Promise<void> {
    const known = sequences.filter((sequence) => this.#kept.has(sequence) || this.#openClaims.has(sequence))
    if (known.length === 0) return
    const record = { kind: 'done', sequence: this.#nextSequence++, body: [encodeDone(known)] } as const
    await this.#write(record, () => {
      for (const sequence of known) {
        this.#kept.delete(sequence)
        this.#openClaims.delete(sequence)
      }
    })
    this.#removing = this.#removing.then(() => this.#removeWhatIsDone())
    await this.#removing
  }

  /** What is not done, in the order in which it came, read from disk one after another. */
  async *records(): AsyncGenerator<SpooledEvents> {
    let path = ''
    let segment: Uint8Array = new Uint8Array()
    for (const kept of this.#kept.list()) {
      const { sequence } = kept
      if (!this.#kept.has(sequence)) continue // done meanwhile
      if (kept.path !== path || kept.offset + kept.bytes > segment.length) segment = await this.#files.read(kept.path)
      path = kept.path
      yield eventsOf(segment.subarray(kept.offset, kept.offset + kept.bytes), kept)
    }
  }

  /**
   * Some of what is not done, in the order in which it is asked for.
   * @param sequences what is not known, or is done, is left out
   * @throws what the file system says; Error for a record that can no longer be read
   */
  async read(sequences: readonly number[]): Promise<SpooledEvents[]> {
    const found: SpooledEvents[] = []
    const wanted = sequences.flatMap((sequence) => this.#kept.get(sequence) ?? [])
    for (let from = 0, to = 0; from < wanted.length; from = to) {
      const path = wanted[from]?.path ?? ''
      while (wanted[to]?.path === path) to++
      const stretch = wanted.slice(from, to)
      const contents = await this.#files.readAt(path, stretch)
      for (const [i, kept] of stretch.entries()) found.push(eventsOf(contents[i] ?? new Uint8Array(), kept))
    }
    return found
  }

  /** Puts what waits on disk, and lets go of the folder. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#groups.settled()
    await this.#removing
    await this.#open?.handle.close()
    this.#open = null
  }

  #write(record: NewRecord, written: Waiting['written']): Promise<void> {
    return new Promise((resolve, failed) => {
      if (this.#isClosed) return failed(new Error('Spool: it is closed; open it again'))
      const kept: Waiting['written'] = (...where) => {
        written(...where)
        resolve()
      }
      const waiting = { record, bytes: bytesOfRecord(record), written: kept, failed }
      this.#groups.add(waiting, record.kind === 'claim') // for which a block waits
    })
  }

  async #put(waiting: readonly Waiting[]): Promise<void> {
    const group = await this.#thatFit(waiting)
    if (group.length === 0) return
    try {
      const segment = await this.#segment()
      let offset = segment.length
      await this.#files.append(segment, encodeRecords(group, segment.seed))
      const listed = this.#segments.at(-1)
      if (listed) listed.bytes = segment.length
      for (const { written, bytes } of group) {
        written(segment, offset, bytes)
        offset += bytes
      }
    } catch (error) {
      await this.#abandon()
      for (const { failed } of group) failed(error)
    }
  }

  /** Claims and marks always; of events none, where they would take what those need. */
  async #thatFit(group: readonly Waiting[]): Promise<readonly Waiting[]> {
    const bytes = group.reduce((sum, { record, bytes }) => sum + (record.kind === 'events' ? bytes : 0), 0)
    if (bytes === 0 || (await this.#room.has(bytes))) return group
    // What is in the open segment can go once it is done, where another one has been begun.
    if (this.#open && this.#open.length > 0) await this.#closeOpen()
    const { reserveBytes } = this.#settings
    for (const { record, failed } of group) if (record.kind === 'events') failed(new SpoolFullError(reserveBytes))
    return group.filter(({ record }) => record.kind !== 'events')
  }

  async #closeOpen(): Promise<void> {
    const segment = this.#open
    this.#open = null
    await segment?.handle.close().catch(() => {}) // everything in it is on disk
  }

  async #segment(): Promise<SegmentFile> {
    if (this.#open && this.#open.length < this.#settings.segmentBytes) return this.#open
    await this.#closeOpen()
    const last = this.#nextSequence - 1
    this.#open = await this.#files.create(this.#nextSequence++)
    this.#segments.push({ path: this.#open.path, last, bytes: 0 })
    return this.#open
  }

  /** Nobody knows what of a failed write is on disk, so nothing is appended behind it; and it is cut off, if that works. */
  async #abandon(): Promise<void> {
    const segment = this.#open
    this.#open = null
    await segment?.handle.close().catch(() => {})
    if (!segment) return
    if (segment.length > 0) return this.#files.truncate(segment.path, segment.length).catch(() => {})
    // A disk that is full for long would be left with an empty segment for each attempt.
    await this.#files.remove(segment.path).then(
      () => void this.#segments.pop(),
      () => {},
    )
  }

  /** From the oldest on, and one after another: a mark must outlive the segment of what it marks. */
  async #removeWhatIsDone(): Promise<void> {
    for (let oldest = this.#segments[0]; oldest && this.#segments.length > 1; oldest = this.#segments[0]) {
      if (oldest.last >= (this.#kept.oldest?.sequence ?? Number.POSITIVE_INFINITY)) return
      try {
        await this.#files.remove(oldest.path)
      } catch {
        return // what is done is marked, and it is tried again with the next
      }
      this.#segments.shift()
    }
  }
}

function eventsOf(content: Uint8Array, { sequence, seed, path }: KeptRecord): SpooledEvents {
  const [record] = readRecords(content, seed)
  if (record?.kind === 'events') return { sequence, ...decodeEvents(record.body) }
  throw new Error(`Spool: record ${sequence} in ${path} cannot be read any more`)
}
