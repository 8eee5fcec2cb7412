import { endOfText } from '../rows/exact-number.js'

/** A body that cannot be read as rows at all. */
export class UnreadableBodyError extends Error {
  override readonly name = 'UnreadableBodyError'
}

/** The rows of NDJSON: its lines, but for those with nothing in them. */
export function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const feed = text.indexOf('\n', from)
    const end = feed < 0 ? text.length : feed
    const line = text.slice(from, end).trim()
    if (line !== '') yield line
    from = end + 1
  }
}

/** How many rows {@link linesOf} has, without looking into them: what is in a line but ASCII space is one. */
export function countLines(body: Uint8Array): number {
  let count = 0
  for (let from = 0; from < body.length; ) {
    const feed = body.indexOf(LINE_FEED, from)
    const end = feed < 0 ? body.length : feed
    while (from < end && isSpace(body[from])) from++
    if (from < end) count++
    from = end + 1
  }
  return count
}

const isSpace = (byte = 0): boolean => byte === 32 || (byte >= 9 && byte <= 13)
const LINE_FEED = 10
const [QUOTE, COMMA, OPEN, CLOSE, OPEN_OBJECT, CLOSE_OBJECT] = [34, 44, 91, 93, 123, 125]

/**
 * The rows of a JSON array, each as the text that it was sent as: only that has its numbers whole.
 * @throws UnreadableBodyError where it is no array. Whether its elements are JSON shows when they are read
 */
export function* elementsOf(text: string): Generator<string> {
  const start = text.search(/\S/)
  if (text.charCodeAt(start) !== OPEN) throw new UnreadableBodyError('is not a JSON array of objects')
  let depth = 0
  let from = start + 1
  for (let at = start; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) at = endOfText(text, at) - 1
    else if (char === OPEN || char === OPEN_OBJECT) depth++
    else if (char === COMMA && depth === 1) {
      yield text.slice(from, at)
      from = at + 1
    } else if (char === CLOSE || char === CLOSE_OBJECT) {
      depth--
      if (depth > 0) continue
      if (char !== CLOSE || text.slice(at + 1).trim() !== '') throw notJson(`something else follows at ${at}`)
      const last = text.slice(from, at)
      if (from > start + 1 || last.trim() !== '') yield last // `[]` has none
      return
    }
  }
  throw notJson('it ends within the array')
}

export function notJson(why: string): UnreadableBodyError {
  return new UnreadableBodyError(`is not JSON: ${why}`)
}
