import { decodeDone, decodeEvents } from './body.js'
import { decodeClaim, type KeptClaim } from './claim.js'
import type { SpoolFiles } from './files.js'
import { type KeptRecord, KeptRecords } from './kept-records.js'
import { isCutShort, readRecords } from './record.js'
import type { Segment } from './segment.js'

/** What was found when a spool was opened. */
export interface SpoolFindings {
  /** Bytes at the end of a segment that were never finished, and so never acknowledged: cut off. */
  readonly tornBytes: number
  /** Stretches that are no records any more, and may have been acknowledged. Tell a person. */
  readonly damaged: readonly { readonly path: string; readonly offset: number; readonly bytes: number }[]
}

/** What an earlier process left. */
export interface Left {
  readonly kept: KeptRecords
  /** Oldest first. */
  readonly segments: Segment[]
  /** Those of which some rows are still kept, in the order in which they were made. */
  readonly claims: readonly KeptClaim[]
  readonly nextSequence: number
  readonly findings: SpoolFindings
}

/**
 * Reads all segments (I4). What is damaged is told, and left as it is; what was never finished at an end is cut off. What
 * was copied to another segment, and is still in its own, is one all the same.
 */
export async function look(files: SpoolFiles): Promise<Left> {
  const events = new Map<number, KeptRecord>()
  const claims = new Map<number, KeptClaim>()
  const segments: Segment[] = []
  const damaged: { path: string; offset: number; bytes: number }[] = []
  let nextSequence = 1
  let tornBytes = 0
  for (const { first, seed, path } of await files.list()) {
    const content = await files.read(path)
    const segment = { path, seed, last: first - 1, bytes: content.length, copiedClaimBytes: 0, isCopied: false }
    segments.push(segment)
    nextSequence = Math.max(nextSequence, first + 1)
    for (const record of readRecords(content, seed)) {
      const { offset, bytes } = record
      if (record.kind === 'damage') {
        if (!isCutShort(content, record, seed)) damaged.push({ path, offset, bytes })
        else {
          tornBytes += bytes
          await files.truncate(path, offset)
          segment.bytes = offset
        }
        continue
      }
      const { sequence, body } = record
      nextSequence = Math.max(nextSequence, sequence + 1)
      if (record.kind === 'done') {
        for (const one of decodeDone(body)) {
          events.delete(one)
          const claim = claims.get(one)
          if (claim) claims.set(one, { ...claim, isDone: true })
        }
      } else if (record.kind === 'claim') {
        const claim = decodeClaim(body)
        if (sequence < first) segment.copiedClaimBytes += bytes
        claims.set(sequence, { ...claim, sequence, isDone: claim.isDone || claims.get(sequence)?.isDone === true })
      } else {
        const { source, atMs } = decodeEvents(body)
        events.set(sequence, { sequence, source, atMs, path, seed, offset, bytes })
        segment.last = Math.max(segment.last, sequence)
      }
    }
  }
  const kept = new KeptRecords()
  for (const record of inOrder(events)) kept.add(record)
  const open = inOrder(claims).filter(({ rows }) => rows.some(([one]) => kept.has(one)))
  return { kept, segments, claims: open, nextSequence, findings: { tornBytes, damaged } }
}

const inOrder = <Kept extends { readonly sequence: number }>(all: ReadonlyMap<number, Kept>): Kept[] =>
  [...all.values()].sort((one, other) => one.sequence - other.sequence)
