import type { SpoolFiles } from './files.js'
import { PIECE_BYTES } from './read-kept.js'
import { type Damage, readRecords, type SpoolRecord } from './record.js'
import type { Segment } from './segment.js'

/** The records of a segment in turn, read piece by piece; what is damaged is passed over. */
export async function* walk(files: SpoolFiles, { path, seed, bytes: end }: Segment): AsyncGenerator<SpoolRecord> {
  let size = PIECE_BYTES
  for (let at = 0; at < end; ) {
    const bytes = Math.min(size, end - at)
    const [piece = new Uint8Array()] = await files.readAt(path, [{ offset: at, bytes }])
    let cut: Damage | null = null
    for (const record of readRecords(piece, seed)) {
      if (record.kind !== 'damage') yield record
      else if (record.offset + record.bytes === piece.length) cut = record
    }
    if (piece.length < bytes || at + bytes === end) return
    // What the piece ends in is cut off by that alone, or is longer than a piece.
    at += cut?.offset ?? bytes
    size = cut?.offset === 0 ? size * 2 : PIECE_BYTES
  }
}
