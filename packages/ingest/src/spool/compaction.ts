import type { Clock } from '@sluice/core'
import { type Claim, decodeClaim, encodeClaim } from './claim.js'
import type { SegmentFile, SpoolFiles } from './files.js'
import type { KeptRecord, KeptRecords } from './kept-records.js'
import { PIECE_BYTES, readKept } from './read-kept.js'
import { type NewRecord, readRecords } from './record.js'
import { type Room, SpoolFullError } from './room.js'
import type { Segment } from './segment.js'
import { walk } from './walk.js'

/** After what could not be copied it is left alone for so long. */
const RETRY_MS = 10_000
/** What is copied at once, so that an append behind it waits for little; one record may be more. */
const GROUP_BYTES = PIECE_BYTES / 4

/** What is copied, and what becomes of that. */
export interface Copy {
  readonly record: NewRecord
  /** Whether it is still as it was, asked in the turn in which it is written. */
  readonly isStill: () => boolean
  readonly written: (segment: SegmentFile, offset: number, bytes: number) => void
}

/** What compaction is told. */
export interface CompactionOptions {
  readonly files: SpoolFiles
  readonly kept: KeptRecords
  /** Oldest first, the last is the open one. */
  readonly segments: readonly Segment[]
  readonly room: Room
  readonly segmentBytes: number
  readonly reserveBytes: number
  readonly clock: Pick<Clock, 'now'>
  /** Of a claim that is on disk: its block is not marked as written. */
  readonly isOpen: (sequence: number) => boolean
  /** Fulfils when it is on disk; false: it was no longer as it was. */
  readonly copy: (copy: Copy) => Promise<boolean>
  /** Removes segments from the oldest on, as far as they can go. */
  readonly remove: () => Promise<void>
}

/**
 * One record that is never done would keep its segment, and all after it. So where segments hold much more than what is
 * kept, the oldest one's kept records are copied to the open one under their own numbers, with all claims of kept records
 * that are in it; then it goes. It reads and writes in small pieces beside what is appended.
 */
export class Compaction {
  readonly #options: CompactionOptions
  #running: Promise<void> | null = null
  #notBeforeMs = Number.NEGATIVE_INFINITY

  constructor(options: CompactionOptions) {
    this.#options = options
  }

  /** Call it when something is done. */
  run(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = null
    })
  }

  /** Fulfils when nothing is being copied. */
  async settled(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    const { segments, clock, remove } = this.#options
    for (let oldest = segments[0]; oldest && this.#isDue(); oldest = segments[0]) {
      try {
        await this.#copyAll(oldest)
      } catch {
        // A disk that fails, a record that is damaged, or the end of the process: the segment stays.
        this.#notBeforeMs = clock.now() + RETRY_MS
        return
      }
      oldest.isCopied = true
      await remove()
      if (segments[0] !== oldest) continue
      this.#notBeforeMs = clock.now() + RETRY_MS
      return
    }
  }

  /** Copied claims count as kept: else a round could be followed by another that frees nothing. */
  #isDue(): boolean {
    const { kept, segments, segmentBytes, clock } = this.#options
    if (segments.length < 2 || clock.now() < this.#notBeforeMs) return false
    const claims = segments.reduce((sum, { copiedClaimBytes }) => sum + copiedClaimBytes, 0)
    const closed = segments.slice(0, -1).reduce((sum, { bytes }) => sum + bytes, 0)
    return closed > 2 * (kept.backlog().bytes + claims) + segmentBytes
  }

  async #copyAll(segment: Segment): Promise<void> {
    const { files, kept, room, reserveBytes } = this.#options
    const records = kept.listOf(segment.path, segment.last)
    const bytes = records.reduce((sum, record) => sum + record.bytes, 0)
    // On a disk that is full a little may be taken of what is kept for claims and marks: more will be free then.
    if (bytes > reserveBytes / 2 && !(await room.has(bytes))) throw new SpoolFullError(reserveBytes)
    for (const group of groupsOf(records)) await this.#copyEvents(group)
    let claims: { sequence: number; claim: Claim; wasDone: boolean }[] = []
    let claimBytes = 0
    for await (const { kind, sequence, body, bytes: own } of walk(files, segment)) {
      if (kind !== 'claim') continue
      const { isDone: wasDone, ...claim } = decodeClaim(body)
      const rows = claim.rows.filter(([one]) => kept.has(one))
      if (rows.length === 0) continue
      claims.push({ sequence, claim: { ...claim, rows }, wasDone })
      claimBytes += own
      if (claimBytes < GROUP_BYTES) continue
      await this.#copyClaims(claims)
      claims = []
      claimBytes = 0
    }
    await this.#copyClaims(claims)
  }

  async #copyEvents(records: readonly KeptRecord[]): Promise<void> {
    const { files, kept, copy } = this.#options
    const contents = await readKept(
      files,
      kept,
      records.map(({ sequence, bytes }) => ({ sequence, from: 0, bytes })),
    )
    const copies = records.map(async ({ sequence, path }, i) => {
      const content = contents[i]
      if (!content) return // done meanwhile
      const [record] = readRecords(content.bytes, content.seed)
      if (record?.kind !== 'events') throw new Error(`Spool: record ${sequence} in ${path} cannot be read any more`)
      await copy({
        record: { kind: 'events', sequence, body: [record.body] },
        isStill: () => kept.has(sequence),
        written: ({ path, seed }, offset) => {
          kept.move(sequence, { path, seed, offset })
          const open = this.#options.segments.at(-1)
          if (open) open.last = Math.max(open.last, sequence)
        },
      })
    })
    await Promise.all(copies)
  }

  async #copyClaims(claims: readonly { sequence: number; claim: Claim; wasDone: boolean }[]): Promise<void> {
    const { isOpen, copy } = this.#options
    const copies = claims.map(async ({ sequence, claim, wasDone }) => {
      const isDone = (): boolean => wasDone || !isOpen(sequence)
      for (let isWritten = false; !isWritten; ) {
        const is = isDone()
        isWritten = await copy({
          record: { kind: 'claim', sequence, body: [encodeClaim(claim, is)] },
          isStill: () => isDone() === is, // and else once more: its mark lies before the copy
          written: (_, __, bytes) => {
            const open = this.#options.segments.at(-1)
            if (open) open.copiedClaimBytes += bytes
          },
        })
      }
    })
    await Promise.all(copies)
  }
}

/** Each of little more than may be copied at once. */
function* groupsOf(records: readonly KeptRecord[]): Generator<KeptRecord[]> {
  let group: KeptRecord[] = []
  let bytes = 0
  for (const record of records) {
    if (group.length > 0 && bytes + record.bytes > GROUP_BYTES) {
      yield group
      group = []
      bytes = 0
    }
    group.push(record)
    bytes += record.bytes
  }
  if (group.length > 0) yield group
}
