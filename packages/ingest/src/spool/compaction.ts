import type { Clock } from '@sluice/core'
import { decodeDone } from './body.js'
import { type Claim, decodeClaim, encodeClaim } from './claim.js'
import { DamagedError, reading, type SpoolDamage } from './damage.js'
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
  /** Marks once more what is marked as done already. Fulfils when that is on disk. */
  readonly mark: (sequences: readonly number[]) => Promise<void>
  /** What was found when the spool was opened: it is told already, and nothing is kept of it. */
  readonly known: readonly SpoolDamage[]
  /** Told once of what a segment is left alone for. */
  readonly damaged: (damaged: readonly SpoolDamage[]) => void
  /** Removes segments from the oldest on, as far as they can go. */
  readonly remove: () => Promise<void>
}

/**
 * One record that is never done would keep its segment, and all after it. So where segments hold much more than what is
 * kept, the oldest one's kept records are copied to the open one under their own numbers, with all claims of kept records
 * that are in it; then it goes. It reads and writes in small pieces beside what is appended.
 *
 * A segment that its disk does not give back as it was written stays as it is, and with it all marks of what is in it: those
 * are copied from the segments after it, which go all the same.
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
    const { segments, clock, remove, damaged } = this.#options
    for (let next = this.#next; next && this.#isDue(); next = this.#next) {
      try {
        if (!next.isCopied) await this.#copyAll(next)
      } catch (error) {
        if (error instanceof DamagedError) {
          next.leftBelow = segments[segments.indexOf(next) + 1]?.first ?? Number.POSITIVE_INFINITY
          damaged(error.damaged)
          continue
        }
        // A disk that fails, or the end of the process: the segment stays.
        this.#notBeforeMs = clock.now() + RETRY_MS
        return
      }
      next.isCopied = true
      await remove()
      if (!segments.includes(next)) continue
      this.#notBeforeMs = clock.now() + RETRY_MS
      return
    }
  }

  /** The closed ones that are sound, oldest first. */
  get #closed(): Segment[] {
    return this.#options.segments.slice(0, -1).filter(({ leftBelow }) => leftBelow === null)
  }

  get #next(): Segment | undefined {
    return this.#closed[0]
  }

  /** Copied claims count as kept: else a round could be followed by another that frees nothing. */
  #isDue(): boolean {
    const { kept, segments, segmentBytes, clock } = this.#options
    if (segments.length < 2 || clock.now() < this.#notBeforeMs) return false
    const claims = segments.reduce((sum, { copiedClaimBytes }) => sum + copiedClaimBytes, 0)
    const closed = this.#closed.reduce((sum, { bytes }) => sum + bytes, 0)
    return closed > 2 * (kept.backlog().bytes + claims) + segmentBytes
  }

  async #copyAll(segment: Segment): Promise<void> {
    const { kept, room, reserveBytes } = this.#options
    const records = kept.listOf(segment.path, segment.last)
    const bytes = records.reduce((sum, record) => sum + record.bytes, 0)
    // On a disk that is full a little may be taken of what is kept for claims and marks: more will be free then.
    if (bytes > reserveBytes / 2 && !(await room.has(bytes))) throw new SpoolFullError(reserveBytes)
    const damaged: SpoolDamage[] = []
    const collect = (error: unknown): void => {
      if (!(error instanceof DamagedError)) throw error
      damaged.push(...error.damaged)
    }
    // What is sound goes to another segment all the same.
    for (const group of groupsOf(records)) await this.#copyEvents(group).catch(collect)
    if (damaged.length > 0) throw new DamagedError(damaged)
    await this.#copyOthers(segment)
  }

  /** Claims of what is kept, and marks of what is in segments that are left. */
  async #copyOthers(segment: Segment): Promise<void> {
    const { files, kept, mark, segments, known } = this.#options
    const { path } = segment
    const damaged: SpoolDamage[] = []
    const told = (offset: number) => known.some((it) => it.path === path && it.offset === offset)
    const left = Math.max(0, ...segments.map(({ leftBelow }) => leftBelow ?? 0))
    const marks: number[] = []
    let claims: { sequence: number; claim: Claim; wasDone: boolean }[] = []
    let claimBytes = 0
    for await (const { kind, sequence, body, bytes: own } of walk(files, segment, (offset, bytes) => {
      if (!told(offset)) damaged.push({ path, offset, bytes })
    })) {
      if (kind === 'done') for (const one of decodeDone(body)) if (one < left) marks.push(one)
      if (marks.length > GROUP_BYTES / 8) await mark(marks.splice(0))
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
    if (marks.length > 0) await mark(marks)
    if (damaged.length > 0) throw new DamagedError(damaged)
  }

  async #copyEvents(records: readonly KeptRecord[]): Promise<void> {
    const { files, kept, copy } = this.#options
    const wanted = records.map(({ sequence, bytes }) => ({ sequence, from: 0, bytes }))
    const contents = await reading(stretchOf(records), () => readKept(files, kept, wanted))
    const damaged: SpoolDamage[] = []
    const copies = records.map(async ({ sequence, path, offset, bytes }, i) => {
      const content = contents[i]
      if (!content) return // done meanwhile
      const [record] = readRecords(content.bytes, content.seed)
      if (record?.kind !== 'events') return void damaged.push({ path, offset, bytes })
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
    if (damaged.length > 0) throw new DamagedError(damaged)
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

/** From the first to the last of some records of one segment. */
function stretchOf(records: readonly KeptRecord[]): SpoolDamage {
  const offset = Math.min(...records.map((record) => record.offset))
  const end = Math.max(...records.map((record) => record.offset + record.bytes))
  return { path: records[0]?.path ?? '', offset, bytes: end - offset }
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
