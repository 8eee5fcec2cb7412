import type { SegmentFile, SpoolFiles } from './files.js'
import { encodeRecords, type NewRecord } from './record.js'
import { type Room, SpoolFullError } from './room.js'
import { type Segment, segmentOf } from './segment.js'

/** A record that is to be put on disk, and who waits for that. */
export interface Waiting {
  readonly record: NewRecord
  /** As it will lie on disk. */
  readonly bytes: number
  readonly written: (segment: SegmentFile, offset: number, bytes: number) => void
  readonly failed: (error: unknown) => void
  /** Of a copy of what lies in an older segment: whether that is still as it was. */
  readonly isStill?: () => boolean
  /** It was not, so it is not written. */
  readonly passedOver?: () => void
}

/** What a writer is told. */
export interface SegmentWriterOptions {
  readonly files: SpoolFiles
  readonly room: Room
  readonly segmentBytes: number
  readonly reserveBytes: number
  readonly nextSequence: () => number
  /** Oldest first; it adds to them. */
  readonly segments: Segment[]
}

/** A group with more has room of its own. */
const MOST_LAYOUT_BYTES = 8_388_608
/** Of a full segment: one with less is short. */
const SHORT = 1 / 8
/** A disk that is full now and then leaves so many short ones at most. */
const MOST_SHORT = 4

/** Appends groups of records to the open segment, one after another, and begins another where that is full. */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions
  #open: SegmentFile | null = null
  /** Whether the open segment holds events, which can go once they are done. */
  #hasEvents = false
  /** What a write that failed has left at its end has yet to be cut off. */
  #isTorn = false
  /** One group after another is laid out here: new room for each is work for the collector of garbage. */
  #layout = new Uint8Array()

  constructor(options: SegmentWriterOptions) {
    this.#options = options
  }

  /** Never rejects: what goes wrong is told to those of the group. One at a time. */
  async put(waiting: readonly Waiting[]): Promise<void> {
    const group = await this.#thatFit(wantedOf(waiting))
    if (group.length === 0) return
    try {
      const segment = await this.#segment()
      let offset = segment.length
      await this.#options.files.append(segment, this.#laidOut(group, segment.seed))
      this.#hasEvents ||= group.some(({ record }) => record.kind === 'events')
      const listed = this.#options.segments.at(-1)
      if (listed) listed.bytes = segment.length
      for (const { written, bytes } of group) {
        written(segment, offset, bytes)
        offset += bytes
      }
    } catch (error) {
      await this.#cut()
      for (const { failed } of group) failed(error)
    }
  }

  #laidOut(group: readonly Waiting[], seed: number): Uint8Array {
    const bytes = group.reduce((sum, one) => sum + one.bytes, 0)
    if (bytes > this.#layout.length && bytes <= MOST_LAYOUT_BYTES)
      this.#layout = Buffer.allocUnsafeSlow(Math.min(2 * bytes, MOST_LAYOUT_BYTES))
    return encodeRecords(group, seed, this.#layout)
  }

  async close(): Promise<void> {
    if (this.#isTorn) await this.#cut() // its disk may have recovered
    await this.#letGo()
  }

  async #letGo(): Promise<void> {
    const segment = this.#open
    this.#open = null
    this.#isTorn = false
    await segment?.handle.close()
  }

  /** Claims, marks and copies always; of events none, where they would take what those need. */
  async #thatFit(group: readonly Waiting[]): Promise<readonly Waiting[]> {
    const { room, reserveBytes } = this.#options
    const isNew = ({ record, isStill }: Waiting): boolean => record.kind === 'events' && !isStill
    const bytes = group.reduce((sum, one) => sum + (isNew(one) ? one.bytes : 0), 0)
    if (bytes === 0 || (await room.has(bytes))) return group
    // What is in the open segment can go once it is done, where another one has been begun.
    if (this.#open && this.#hasEvents && this.#isWorthIt) await this.close().catch(() => {}) // all of it is on disk
    for (const one of group) if (isNew(one)) one.failed(new SpoolFullError(reserveBytes))
    return group.filter((one) => !isNew(one))
  }

  /** Whether another segment may be begun before this one is full: not with each event on a disk that is full again and again. */
  get #isWorthIt(): boolean {
    const { segments, segmentBytes } = this.#options
    const isShort = ({ bytes }: Pick<Segment, 'bytes'>): boolean => bytes < segmentBytes * SHORT
    return !isShort(segments.at(-1) ?? { bytes: 0 }) || segments.filter(isShort).length <= MOST_SHORT
  }

  async #segment(): Promise<SegmentFile> {
    const { files, segmentBytes, nextSequence, segments } = this.#options
    if (this.#isTorn) await this.#cut() // its disk may have recovered
    if (this.#open && !this.#isTorn && this.#open.length < segmentBytes) return this.#open
    await this.#letGo().catch(() => {}) // everything in it is on disk
    const open = await files.create(nextSequence())
    this.#open = open
    this.#hasEvents = false
    segments.push(segmentOf(open))
    return open
  }

  /**
   * Nobody knows what of a failed write is on disk, so nothing is appended behind it before it is cut off, and the cut is on
   * disk: what follows is written anew, whatever became of the pages that the disk did not take. What lies before it was on
   * disk already.
   */
  async #cut(): Promise<void> {
    const { files, segments } = this.#options
    const segment = this.#open
    if (!segment) return
    this.#isTorn = true
    try {
      if (segment.length > 0) await files.truncate(segment.path, segment.length)
      else {
        // A disk that is full for long would be left with an empty segment.
        await files.remove(segment.path)
        segments.pop()
        await this.#letGo()
      }
      this.#isTorn = false
    } catch {
      // It is tried once more before another segment is begun.
    }
  }
}

/** Copies go first: what is marked as done in the same group must not be found behind its mark. */
function wantedOf(waiting: readonly Waiting[]): Waiting[] {
  const copies: Waiting[] = []
  const others: Waiting[] = []
  for (const one of waiting) {
    if (!one.isStill) others.push(one)
    else if (one.isStill()) copies.push(one)
    else one.passedOver?.()
  }
  return [...copies, ...others]
}
