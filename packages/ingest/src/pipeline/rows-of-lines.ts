import { LINE_FEED } from './lines.js'

/** So many bytes are made into text at a time, or one row that has more. */
const PIECE_BYTES = 16_384
const decoder = new TextDecoder()

/** Rows as text, each when it is asked for: what is not taken is not in memory as text too. */
export function* rowsOfLines(lines: Uint8Array): Generator<string> {
  for (let from = 0; from < lines.length; ) {
    const last = lines.lastIndexOf(LINE_FEED, from + PIECE_BYTES)
    const feed = last >= from ? last : lines.indexOf(LINE_FEED, from)
    const isEnd = lines.length - from <= PIECE_BYTES || feed < 0
    const end = isEnd ? lines.length : feed
    yield* decoder.decode(lines.subarray(from, end)).split('\n')
    from = end + 1
  }
}
