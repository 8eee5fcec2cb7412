import type { KeptClaim } from '../spool/claim.js'
import { type BlockBounds, type Chunk, countOf, cut, type MadeBlock, makeBlock, without } from './chunk.js'
import type { DurableSpool } from './durable-spool.js'
import { noteOf, partitionsOf } from './payload.js'

/** One record that an earlier process left. */
export interface ReplayedRecord {
  readonly sequence: number
  readonly source: string
  /** Rows that are not written, or of which nobody knows. */
  readonly left: number
  /** Those in no block. */
  readonly chunks: readonly Chunk[]
  readonly note: string | undefined
  readonly atMs: number
}

/** Claims of one block: where it may be, and whether it is written. */
interface ClaimedBlock {
  readonly first: KeptClaim
  readonly claims: Map<string, number>
  readonly chunks: Chunk[]
  isDone: boolean
}

/**
 * What an earlier process left to be done (I4): each row once, in the block that it may have been sent with, or in none.
 * @param each called with one record after another, so that not all of them are in memory
 * @param nowMs since when nobody knows where the blocks are
 * @returns the blocks that may be written
 */
export async function replay(
  spool: DurableSpool,
  bounds: BlockBounds,
  nowMs: number,
  each: (record: ReplayedRecord) => void,
): Promise<MadeBlock[]> {
  const blocks = new Map<string, ClaimedBlock>()
  const bySequence = new Map<number, { block: ClaimedBlock; from: number; to: number }[]>()
  for (const claim of spool.claims) {
    const known = blocks.get(claim.id)
    const block = known ?? { first: claim, claims: new Map(), chunks: [], isDone: false }
    blocks.set(claim.id, block)
    block.claims.set(claim.node, claim.sequence)
    block.isDone ||= claim.isDone
    if (known) continue // a block has the same rows wherever it goes
    for (const [sequence, from, to] of claim.rows) {
      const own = bySequence.get(sequence) ?? []
      bySequence.set(sequence, own)
      own.push({ block, from, to })
    }
  }
  for await (const { sequence, source, payload, atMs } of spool.records()) {
    let chunks = partitionsOf(payload).flatMap((rows) => cut(sequence, rows, null, bounds))
    let left = chunks.reduce((sum, chunk) => sum + countOf(chunk), 0)
    for (const { block, from, to } of bySequence.get(sequence) ?? []) {
      const { partition } = block.first
      const bytes = chunks.find((chunk) => chunk.partition === partition)
      const each = bytes ? bytes.bytes / countOf(bytes) : 1
      chunks = chunks.flatMap((chunk) => (chunk.partition === partition ? without(chunk, from, to) : [chunk]))
      if (block.isDone) left -= to - from
      else {
        const size = Math.max(1, Math.round(each * (to - from)))
        block.chunks.push({ sequence, partition, from, to, bytes: size, lines: null })
      }
    }
    each({ sequence, source, left, chunks, note: noteOf(payload), atMs })
  }
  return [...blocks.values()].flatMap(({ first, claims, chunks, isDone }) => {
    if (isDone || chunks.length === 0) return []
    const block = makeBlock(first.id, first.source, first.partition, chunks)
    for (const [node, sequence] of claims) {
      block.claims.set(node, sequence)
      block.unknownOn.set(node, nowMs)
    }
    return [block]
  })
}
