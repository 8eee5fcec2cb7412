import type { SegmentFile, SpoolFiles } from './files.js'
import { encodeRecords, type NewRecord } from './record.js'
import { type Room, SpoolFullError } from './room.js'
import type { Segment } from './segment.js'

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

/** Appends groups of records to the open segment, one after another, and begins another where that is full or has failed. */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions
  #open: SegmentFile | null = null
  /** Whether the open segment holds events, which can go once they are done. */
  #hasEvents = false

  constructor(options: SegmentWriterOptions) {
    this.#options = options
  }

  /** Never rejects: what goes wrong is told to those of the group. One at a time. */
  async put(waiting: readonly Waiting[]): Promise<void> {
    const group = await this.#thatFit(wantedOf(waiting))
    if (group.length === 0) return
    try {
      const segment = await this.#segment()
      this.#hasEvents ||= group.some(({ record }) => record.kind === 'events')
      let offset = segment.length
      await this.#options.files.append(segment, encodeRecords(group, segment.seed))
      const listed = this.#options.segments.at(-1)
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

  async close(): Promise<void> {
    const segment = this.#open
    this.#open = null
    await segment?.handle.close()
  }

  /** Claims, marks and copies always; of events none, where they would take what those need. */
  async #thatFit(group: readonly Waiting[]): Promise<readonly Waiting[]> {
    const { room, reserveBytes } = this.#options
    const isNew = ({ record, isStill }: Waiting): boolean => record.kind === 'events' && !isStill
    const bytes = group.reduce((sum, one) => sum + (isNew(one) ? one.bytes : 0), 0)
    if (bytes === 0 || (await room.has(bytes))) return group
    // What is in the open segment can go once it is done, where another one has been begun.
    if (this.#open && this.#hasEvents) await this.close().catch(() => {}) // everything in it is on disk
    for (const one of group) if (isNew(one)) one.failed(new SpoolFullError(reserveBytes))
    return group.filter((one) => !isNew(one))
  }

  async #segment(): Promise<SegmentFile> {
    const { files, segmentBytes, nextSequence, segments } = this.#options
    if (this.#open && this.#open.length < segmentBytes) return this.#open
    await this.close().catch(() => {}) // everything in it is on disk
    const first = nextSequence()
    const open = await files.create(first)
    this.#open = open
    this.#hasEvents = false
    segments.push({ path: open.path, seed: open.seed, last: first - 1, bytes: 0, copiedClaimBytes: 0, isCopied: false })
    return open
  }

  /** Nobody knows what of a failed write is on disk, so nothing is appended behind it; and it is cut off, if that works. */
  async #abandon(): Promise<void> {
    const { files, segments } = this.#options
    const segment = this.#open
    await this.close().catch(() => {})
    if (!segment) return
    if (segment.length > 0) return files.truncate(segment.path, segment.length).catch(() => {})
    // A disk that is full for long would be left with an empty segment for each attempt.
    await files.remove(segment.path).then(
      () => void segments.pop(),
      () => {},
    )
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
