import { type Clock, systemClock } from '@sluice/core'
import { complete, type Fields, refused } from '../settings.js'
import { bytesOfHead, decodeEvents, encodeDone, encodeHead } from './body.js'
import { type Claim, encodeClaim, type KeptClaim } from './claim.js'
import { Compaction } from './compaction.js'
import { SpoolFiles } from './files.js'
import { Grouping } from './grouping.js'
import type { KeptRecord, KeptRecords, SpoolBacklog } from './kept-records.js'
import { type Left, look, type SpoolFindings } from './look.js'
import { type KeptContent, PIECE_BYTES, readKept } from './read-kept.js'
import { bytesOfRecord, type NewRecord, readRecords } from './record.js'
import { Room } from './room.js'
import type { Segment } from './segment.js'
import { SegmentWriter, type Waiting } from './segment-writer.js'
import type { SpoolOptions } from './spool-options.js'

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

/** Some bytes of one record's payload. */
export interface SpooledPart {
  readonly sequence: number
  readonly offset: number
  readonly bytes: number
}

/**
 * Events on disk before they are acknowledged (I4): append-only segments of records with checksums, put on disk in
 * groups. What is not marked as done is there again after a crash, and what was cut off in the midst of a write was never
 * acknowledged. One process at a time may have a folder.
 *
 * A segment is removed once everything in it, and in those before it, is done. Where one record would keep much that is done
 * it is copied, so that the disk holds about twice what is kept at most, and two segments more.
 */
export class Spool {
  readonly #files: SpoolFiles
  readonly #clock: Clock
  readonly findings: SpoolFindings
  /** The blocks that an earlier process may have sent, of which some rows are still kept; in the order of their claims. */
  readonly claims: readonly KeptClaim[]
  readonly #openClaims: Set<number>
  readonly #kept: KeptRecords
  /** Oldest first; the last is the open one, if there is one. */
  readonly #segments: Segment[]
  #nextSequence: number
  readonly #writer: SegmentWriter
  readonly #groups: Grouping<Waiting>
  readonly #compaction: Compaction
  #removing: Promise<void> = Promise.resolve()
  #isClosed = false

  private constructor(files: SpoolFiles, options: SpoolOptions, left: Left) {
    const { fault, clock = systemClock, freeBytes = () => files.freeBytes(), onDamage = () => {}, ...rest } = options
    const { groupMs, segmentBytes, reserveBytes } = complete('Spool', FIELDS, rest, ['freeBytes', 'onDamage', 'clock'])
    const room = new Room(freeBytes, reserveBytes, clock)
    this.#files = files
    this.#clock = clock
    this.#kept = left.kept
    this.#segments = left.segments
    this.#nextSequence = left.nextSequence
    this.findings = left.findings
    this.claims = left.claims
    this.#openClaims = new Set(left.claims.flatMap(({ sequence, isDone }) => (isDone ? [] : [sequence])))
    const shared = { files, room, segmentBytes, reserveBytes, segments: left.segments }
    this.#writer = new SegmentWriter({ ...shared, nextSequence: () => this.#nextSequence++ })
    this.#groups = new Grouping(groupMs, clock, (group) => this.#writer.put(group))
    this.#compaction = new Compaction({
      ...{ ...shared, kept: left.kept, clock },
      isOpen: (sequence) => this.#openClaims.has(sequence),
      copy: ({ record, written, isStill }) => this.#write(record, written, isStill),
      mark: async (sequences) => void (await this.#write(this.#doneOf(sequences), () => {})),
      known: left.findings.damaged,
      damaged: onDamage,
      remove: () => this.#remove(),
    })
  }

  /**
   * Opens a spool, and reads what an earlier process left there.
   * @param folder one that is there, and nobody else's
   * @throws TypeError that names the option, its value and what is allowed; what the file system says: of a folder that is
   *   not there, that it has to be made first
   */
  static async open(folder: string, options: SpoolOptions = {}): Promise<Spool> {
    if (typeof folder !== 'string' || folder === '')
      throw refused('Spool.open', 'folder', folder, 'the path of a folder')
    const files = new SpoolFiles(folder, options.fault)
    return new Spool(files, options, await look(files))
  }

  /** What waits to be marked as done: bytes, and when the oldest of it came in epoch ms; of one data source, or of all. */
  backlog(source?: string): SpoolBacklog {
    return this.#kept.backlog(source)
  }

  /** Records that are not marked as done. */
  get recordsKept(): number {
    return this.#kept.size
  }

  /** Bytes of all segments, those included that are done and cannot go yet. */
  get diskBytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /**
   * Keeps the events of one request.
   * @param payload all of it, or its pieces, one behind the other
   * @returns its sequence number, once it is on disk: acknowledge then
   * @throws TypeError for a source that is no text, or a payload that is no bytes; what the file system said, where it may
   *   not be on disk: then do not acknowledge. It may be there all the same
   */
  async append(source: string, payload: Uint8Array | readonly Uint8Array[]): Promise<number> {
    if (typeof source !== 'string') throw refused('Spool.append', 'source', source, 'a text')
    const pieces: readonly unknown[] = Array.isArray(payload) ? payload : [payload]
    if (!pieces.every(isBytes)) throw refused('Spool.append', 'payload', payload, 'a Uint8Array, or an array of them')
    const sequence = this.#nextSequence++
    const atMs = this.#clock.wallNow()
    const body = [encodeHead({ source, atMs }), ...pieces]
    await this.#write({ kind: 'events', sequence, body }, ({ path, seed }, offset, bytes) => {
      this.#kept.add({ sequence, source, atMs, path, seed, offset, bytes })
      const segment = this.#segments.at(-1)
      if (segment) segment.last = Math.max(segment.last, sequence)
    })
    return sequence
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
    await this.#write(this.#doneOf(known), () => {
      for (const sequence of known) {
        this.#kept.delete(sequence)
        this.#openClaims.delete(sequence)
      }
    })
    await this.#remove()
    this.#compaction.run() // nobody waits for that
  }

  /** What is not done, in the order in which it came, read from disk a piece at a time. */
  async *records(): AsyncGenerator<SpooledEvents> {
    let sequences: number[] = []
    let bytes = 0
    for (const { sequence, bytes: own } of this.#kept.list()) {
      if (bytes + own > PIECE_BYTES) {
        yield* await this.read(sequences)
        sequences = []
        bytes = 0
      }
      sequences.push(sequence)
      bytes += own
    }
    yield* await this.read(sequences)
  }

  /**
   * Some of what is not done, in the order in which it is asked for.
   * @param sequences what is not known, or is done, is left out
   * @throws what the file system says; Error for a record that can no longer be read
   */
  async read(sequences: readonly number[]): Promise<SpooledEvents[]> {
    const wanted = sequences.flatMap((sequence) => this.#kept.get(sequence) ?? [])
    const contents = await readKept(
      this.#files,
      this.#kept,
      wanted.map(({ sequence, bytes }) => ({ sequence, from: 0, bytes })),
    )
    return wanted.flatMap((record, i) => {
      const content = contents[i]
      return content ? eventsOf(content, record) : []
    })
  }

  /**
   * Parts of payloads: of each only so many bytes are read, so its checksum cannot be looked at. Hold them to one of your own.
   * @returns one for each; undefined: of what is not known, or done
   * @throws what the file system says
   */
  async readParts(parts: readonly SpooledPart[]): Promise<(Uint8Array | undefined)[]> {
    const wanted = parts.map(({ sequence, offset, bytes }) => {
      const { source = '' } = this.#kept.get(sequence) ?? {}
      return { sequence, from: bytesBeforeBody + bytesOfHead(source) + offset, bytes }
    })
    return (await readKept(this.#files, this.#kept, wanted)).map((content) => content?.bytes)
  }

  /** Puts what waits on disk, and lets go of the folder. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#groups.settled()
    await this.#compaction.settled()
    await this.#removing
    await this.#writer.close()
  }

  #doneOf(sequences: readonly number[]): NewRecord {
    return { kind: 'done', sequence: this.#nextSequence++, body: [encodeDone(sequences)] }
  }

  /** @returns false: it is a copy of what is no longer as it was */
  #write(record: NewRecord, written: Waiting['written'], isStill?: () => boolean): Promise<boolean> {
    return new Promise((resolve, failed) => {
      if (this.#isClosed) return failed(new Error('Spool: it is closed; open it again'))
      const kept: Waiting['written'] = (...where) => {
        written(...where)
        resolve(true)
      }
      const copy = isStill && { isStill, passedOver: () => resolve(false) }
      const waiting = { record, bytes: bytesOfRecord(record), written: kept, failed, ...copy }
      this.#groups.add(waiting, record.kind === 'claim' && !isStill) // for which a block waits
    })
  }

  #remove(): Promise<void> {
    this.#removing = this.#removing.then(() => this.#removeWhatIsDone())
    return this.#removing
  }

  /**
   * From the oldest on, and one after another: a mark must outlive the segment of what it marks. Of those after one that is
   * left as it is, those that are copied: its marks are, too.
   */
  async #removeWhatIsDone(): Promise<void> {
    for (let i = 0; i < this.#segments.length - 1; ) {
      const segment = this.#segments[i]
      if (!segment) return
      // Behind one that is left what is done is only looked for by compaction, which sees to the marks in it.
      if (i === 0) segment.isCopied ||= segment.last < (this.#kept.oldest?.sequence ?? Number.POSITIVE_INFINITY)
      if (segment.isCopied) {
        try {
          await this.#files.remove(segment.path)
        } catch {
          return // what is done is marked, and it is tried again with the next
        }
        this.#segments.splice(this.#segments.indexOf(segment), 1)
      } else if (segment.leftBelow === null) return
      else i++
    }
  }
}

const isBytes = (piece: unknown): piece is Uint8Array => piece instanceof Uint8Array

/** What every record begins with. */
const bytesBeforeBody = bytesOfRecord({ kind: 'events', sequence: 0, body: [] })

function eventsOf({ bytes, seed }: KeptContent, { sequence, path }: KeptRecord): SpooledEvents {
  const [record] = readRecords(bytes, seed)
  if (record?.kind === 'events') return { sequence, ...decodeEvents(record.body) }
  throw new Error(`Spool: record ${sequence} in ${path} cannot be read any more`)
}
