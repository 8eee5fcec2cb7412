import { reading } from './damage.js'
import type { SpoolFiles } from './files.js'
import { PIECE_BYTES } from './read-kept.js'
import { type Damage, readRecords, type SpoolRecord } from './record.js'
import type { Segment } from './segment.js'

/**
 * The records of a segment in turn, read piece by piece; what is damaged is passed over.
 * @param damaged told of each stretch that is: also of what the file should have, and has not
 */
export async function* walk(
  files: SpoolFiles,
  { path, seed, bytes: end }: Pick<Segment, 'path' | 'seed' | 'bytes'>,
  damaged: (offset: number, bytes: number) => void = () => {},
): AsyncGenerator<SpoolRecord> {
  let size = PIECE_BYTES
  for (let at = 0; at < end; ) {
    const bytes = Math.min(size, end - at)
    const stretch = { offset: at, bytes }
    const [piece = new Uint8Array()] = await reading({ path, ...stretch }, () => files.readAt(path, [stretch]))
    const isLast = piece.length < bytes || at + bytes === end
    let cut: Damage | null = null
    for (const record of readRecords(piece, seed)) {
      if (record.kind !== 'damage') yield record
      else if (!isLast && record.offset + record.bytes === piece.length) cut = record
      else damaged(at + record.offset, record.bytes)
    }
    if (piece.length < bytes) damaged(at + piece.length, end - at - piece.length)
    if (isLast) return
    // What the piece ends in is cut off by that alone, or is longer than a piece.
    at += cut?.offset ?? bytes
    size = cut?.offset === 0 ? size * 2 : PIECE_BYTES
  }
}
