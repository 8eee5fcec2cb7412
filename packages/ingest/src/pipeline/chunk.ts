import { someOf } from './lines.js'
import type { PartitionRows } from './payload.js'

/** Rows of one record for one partition: what blocks are made of. A row is only ever in one chunk. */
export interface Chunk {
  /** Of the record. */
  readonly sequence: number
  readonly partition: string
  /** The first and the one after the last, counted within the record's rows of this partition. */
  readonly from: number
  readonly to: number
  readonly bytes: number
  /** Its rows. Null: they are read from the spool when they are needed. */
  readonly lines: Uint8Array | null
}

/** A block that is made, with what is known of where it may be (I4). */
export interface MadeBlock {
  readonly id: string
  readonly source: string
  readonly partition: string
  readonly chunks: readonly Chunk[]
  readonly count: number
  readonly bytes: number
  /** Claims that are on disk, by the node that each is of. */
  readonly claims: Map<string, number>
  /** Nodes on which it may be or not, with when that came to be so. */
  readonly unknownOn: Map<string, number>
  /** It is neither looked up nor sent before. */
  notBeforeMs: number
  /** How often a node refused it for what is in it. */
  refusals: number
  /** It was sent elsewhere while nobody knew. */
  isMaybeDuplicated: boolean
}

/** Most rows and bytes of one chunk, and of one block. */
export interface BlockBounds {
  readonly maxRows: number
  readonly maxBytes: number
}

/**
 * Evenly cut, where it is more than one block may be.
 * @param lines its rows, in memory that nothing else is kept in; null: they stay in the spool
 */
export function cut(
  sequence: number,
  { partition, count, bytes }: PartitionRows,
  lines: Uint8Array | null,
  { maxRows, maxBytes }: BlockBounds,
): Chunk[] {
  const pieces = Math.min(count, Math.max(Math.ceil(count / maxRows), Math.ceil(bytes / maxBytes)))
  return Array.from({ length: pieces }, (_, i) => {
    const from = Math.floor((i * count) / pieces)
    const to = Math.floor(((i + 1) * count) / pieces)
    const share = Math.max(1, Math.round((bytes * (to - from)) / count))
    const own = pieces === 1 ? lines : lines && (someOf(lines, from, to)?.slice() ?? null)
    return { sequence, partition, from, to, bytes: share, lines: own }
  })
}

/** What is left of a chunk that is in the spool without some of its rows. */
export function without(chunk: Chunk, from: number, to: number): Chunk[] {
  if (to <= chunk.from || from >= chunk.to) return [chunk]
  const piece = (first: number, end: number): Chunk[] => {
    if (first >= end) return []
    const bytes = Math.max(1, Math.round((chunk.bytes * (end - first)) / (chunk.to - chunk.from)))
    return [{ ...chunk, from: first, to: end, bytes, lines: null }]
  }
  return [...piece(chunk.from, Math.max(chunk.from, from)), ...piece(Math.min(chunk.to, to), chunk.to)]
}

export const countOf = ({ from, to }: Chunk): number => to - from

export function makeBlock(id: string, source: string, partition: string, chunks: readonly Chunk[]): MadeBlock {
  const count = chunks.reduce((sum, chunk) => sum + countOf(chunk), 0)
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.bytes, 0)
  const nowhere = { claims: new Map(), unknownOn: new Map(), notBeforeMs: 0, refusals: 0, isMaybeDuplicated: false }
  return { id, source, partition, chunks, count, bytes, ...nowhere }
}
