import { crc32c } from '../spool/crc32c.js'
import { startOf } from './lines.js'
import type { PayloadStretch } from './payload.js'

/** Rows of one record for one partition: what blocks are made of. A row is only ever in one chunk. */
export interface Chunk {
  /** Of the record. */
  readonly sequence: number
  readonly partition: string
  /** The first and the one after the last, counted within the record's rows of this partition. */
  readonly from: number
  readonly to: number
  /** Where they lie in the record's payload, and how long they are. */
  readonly offset: number
  readonly bytes: number
  /** Its rows. Null: they are read from the spool when they are needed. */
  readonly lines: Uint8Array | null
  /** Of its rows, where they are not in memory: what is read is held to it. */
  readonly checksum: number
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

/** Rows from the first to before the last. */
export type RowRange = readonly [from: number, to: number]

/** Some rows of a stretch, evenly cut where they are more than one block may be. */
export function cut([from, to]: RowRange, { count, bytes }: PayloadStretch, bounds: BlockBounds): RowRange[] {
  const rows = to - from
  const share = (bytes * rows) / count
  const pieces = Math.min(rows, Math.max(Math.ceil(rows / bounds.maxRows), Math.ceil(share / bounds.maxBytes)))
  const at = (i: number): number => from + Math.floor((i * rows) / pieces)
  return Array.from({ length: pieces }, (_, i) => [at(i), at(i + 1)])
}

/**
 * Chunks of a stretch, with their rows as they lie in it: one walk over them.
 * @param ranges ascending, and none beyond its rows
 */
export function* chunksOf(sequence: number, stretch: PayloadStretch, ranges: readonly RowRange[]): Generator<Chunk> {
  const { partition, count, offset, lines } = stretch
  let [row, at] = [0, 0]
  for (const [from, to] of ranges) {
    const start = startOf(lines, at, from - row)
    const next = to === count ? lines.length + 1 : startOf(lines, start, to - from)
    const own = lines.subarray(start, next - 1)
    yield { sequence, partition, from, to, offset: offset + start, bytes: own.length, lines: own, checksum: 0 }
    row = to
    at = next
  }
}

/** As it is without its rows in memory. */
export function letGo(chunk: Chunk): Chunk {
  const { sequence, partition, from, to, offset, bytes, lines } = chunk
  return lines ? { sequence, partition, from, to, offset, bytes, lines: null, checksum: checksumOf(lines) } : chunk
}

/** Signed, so that it takes no more room than it must. */
export const checksumOf = (lines: Uint8Array): number => crc32c(lines) | 0

export const countOf = ({ from, to }: Chunk): number => to - from

export function makeBlock(id: string, source: string, partition: string, chunks: readonly Chunk[]): MadeBlock {
  const count = chunks.reduce((sum, chunk) => sum + countOf(chunk), 0)
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.bytes, 0)
  const nowhere = { claims: new Map(), unknownOn: new Map(), notBeforeMs: 0, refusals: 0, isMaybeDuplicated: false }
  return { id, source, partition, chunks, count, bytes, ...nowhere }
}
