import { decodeDone, decodeEvents } from './body.js'
import { decodeClaim, type KeptClaim } from './claim.js'
import type { SpoolDamage } from './damage.js'
import type { SpoolFiles } from './files.js'
import { type KeptRecord, KeptRecords } from './kept-records.js'
import { isCutShort, readRecords } from './record.js'
import { type Segment, segmentOf } from './segment.js'

/** What was found when a spool was opened. */
export interface SpoolFindings {
  /** Bytes at the end of a segment that were never finished, and so never acknowledged: cut off. */
  readonly tornBytes: number
  /** Stretches that are no records any more, and may have been acknowledged. Tell a person. */
  readonly damaged: readonly SpoolDamage[]
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
 *
 * What is found is put on disk first: a process that was killed may have come no further than writing it, and what is done
 * with it from now on, such as sending a block that is claimed, must not outlive it.
 */
export async function look(files: SpoolFiles): Promise<Left> {
  const events = new Map<number, KeptRecord>()
  const claims = new Map<number, KeptClaim>()
  const segments: Segment[] = []
  const damaged: SpoolDamage[] = []
  let nextSequence = 1
  let tornBytes = 0
  const names = await files.list()
  await files.syncFolder() // and a segment that it has removed must not come again
  for (const { first, seed, path } of names) {
    await files.sync(path)
    const content = await files.read(path)
    const segment = segmentOf({ path, seed, first }, content.length)
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
