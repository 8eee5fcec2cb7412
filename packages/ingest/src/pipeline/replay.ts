import type { KeptClaim } from '../spool/claim.js'
import { type BlockBounds, type Chunk, chunksOf, countOf, cut, letGo, type MadeBlock, makeBlock } from './chunk.js'
import type { DurableSpool } from './durable-spool.js'
import { noteOf, type PayloadStretch, stretchesOf } from './payload.js'
import { bytesInSpool } from './tally.js'

/** One record that an earlier process left. */
export interface ReplayedRecord {
  readonly sequence: number
  readonly source: string
  readonly bytes: number
  /** Rows that are not written, or of which nobody knows; and the pieces that they are in. */
  readonly left: number
  readonly pieces: number
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

/** Rows of one record for one partition that are in a block. */
interface Taken {
  readonly block: ClaimedBlock
  readonly from: number
  readonly to: number
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
  const { blocks, bySequence } = readClaims(spool.claims)
  for await (const { sequence, source, payload, atMs } of spool.records()) {
    const byPartition = bySequence.get(sequence)
    bySequence.delete(sequence)
    const chunks: Chunk[] = []
    let [left, pieces] = [0, 0]
    for (const stretch of stretchesOf(payload))
      for (const { chunk, block } of shared(sequence, stretch, byPartition?.get(stretch.partition) ?? [], bounds)) {
        if (block?.isDone) continue
        const own = block?.chunks ?? chunks
        own.push(letGo(chunk))
        left += countOf(chunk)
        pieces++
      }
    each({
      sequence,
      source,
      bytes: bytesInSpool(source, payload.length),
      left,
      pieces,
      chunks,
      note: noteOf(payload),
      atMs,
    })
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

/** By block, and by the records and partitions whose rows they have. */
function readClaims(claims: readonly KeptClaim[]) {
  const blocks = new Map<string, ClaimedBlock>()
  const bySequence = new Map<number, Map<string, Taken[]>>()
  for (const claim of claims) {
    const known = blocks.get(claim.id)
    const block = known ?? { first: claim, claims: new Map(), chunks: [], isDone: false }
    blocks.set(claim.id, block)
    block.claims.set(claim.node, claim.sequence)
    block.isDone ||= claim.isDone
    if (known) continue // a block has the same rows wherever it goes
    for (const [sequence, from, to] of claim.rows) {
      const byPartition = bySequence.get(sequence) ?? new Map<string, Taken[]>()
      bySequence.set(sequence, byPartition)
      const own = byPartition.get(claim.partition)
      if (own) own.push({ block, from, to })
      else byPartition.set(claim.partition, [{ block, from, to }])
    }
  }
  return { blocks, bySequence }
}

/** All rows of a stretch in their order: those that are in blocks, and what lies between, cut. */
function* shared(
  sequence: number,
  stretch: PayloadStretch,
  taken: readonly Taken[],
  bounds: BlockBounds,
): Generator<{ readonly chunk: Chunk; readonly block: ClaimedBlock | undefined }> {
  const ranges: (readonly [from: number, to: number])[] = []
  const blocks: (ClaimedBlock | undefined)[] = []
  const free = (from: number, to: number): void => {
    if (from >= to) return
    for (const range of cut([from, to], stretch, bounds)) {
      ranges.push(range)
      blocks.push(undefined)
    }
  }
  let row = 0
  for (const { block, from, to } of [...taken].sort((one, other) => one.from - other.from)) {
    const end = Math.min(to, stretch.count)
    if (end <= row) continue
    free(row, from)
    ranges.push([Math.max(row, from), end])
    blocks.push(block)
    row = end
  }
  free(row, stretch.count)
  let i = 0
  for (const chunk of chunksOf(sequence, stretch, ranges)) yield { chunk, block: blocks[i++] }
}
