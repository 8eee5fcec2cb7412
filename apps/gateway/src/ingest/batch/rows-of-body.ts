import { isUtf8 } from 'node:buffer'
import type { SlicedWork } from '../../slices.js'
import { ArrayScan } from './array-scan.js'

/** How events may be sent. */
export type BatchForm = 'lines' | 'array'

/** A body that cannot be read as rows at all. */
export class UnreadableBodyError extends Error {
  override readonly name = 'UnreadableBodyError'
}

/** Where the rows of a body are: nothing is known yet of what they are. */
export interface RowsOfBody {
  readonly body: Buffer
  readonly form: BatchForm
  /** Where each begins and has ended, one after another. */
  readonly bounds: readonly number[]
  /** What it costs to read them. Empty lines count: to pass over a million of them costs as much. */
  readonly count: number
}

/**
 * Finds the rows of a body, of NDJSON or of a JSON array, without looking into them: to refuse them must cost less than to
 * take them. Their bytes do, since what parts rows is ASCII.
 * @param maxRows a body with more is not looked at to its end
 * @throws UnreadableBodyError
 */
export async function rowsOfBody(
  body: Uint8Array,
  form: BatchForm,
  maxRows: number,
  work: SlicedWork,
): Promise<RowsOfBody> {
  if (!isUtf8(body))
    throw new UnreadableBodyError(`is not UTF-8${isGzip(body) ? ', but compressed; send it as it is' : ''}`)
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const found = form === 'lines' ? await lines(bytes, maxRows, work) : await elements(bytes, maxRows, work)
  return { body: bytes, form, ...found }
}

/** Said where a header does not: with `Content-Encoding` it is refused by that. */
const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b

type Found = Pick<RowsOfBody, 'bounds' | 'count'>

async function lines(body: Buffer, maxRows: number, work: SlicedWork): Promise<Found> {
  const bounds: number[] = []
  let count = 0
  for (let from = markOf(body); from < body.length; ) {
    const feed = body.indexOf(LINE_FEED, from)
    const end = feed < 0 ? body.length : feed
    if (!add(bounds, body, from, end) && feed < 0) break // what follows the last line feed is no line
    count += 1
    if (count > maxRows)
      throw new UnreadableBodyError(`has more than ${maxRows} rows, empty lines counted; send them in several requests`)
    if (work.isDue(end - from)) await work.pause()
    from = end + 1
  }
  return { bounds, count }
}

/** @throws UnreadableBodyError where it is no array. Whether its elements are JSON shows when they are read */
async function elements(body: Buffer, maxRows: number, work: SlicedWork): Promise<Found> {
  const start = afterSpace(body, markOf(body), body.length)
  if (body[start] !== OPEN) throw new UnreadableBodyError('is not a JSON array of objects')
  const bounds: number[] = []
  const scan = new ArrayScan(start)
  const onElement = (from: number, end: number) => {
    // `[]` has none; between two commas there is one, be it no JSON.
    if (!add(bounds, body, from, end) && (bounds.length > 0 || body[end] === COMMA)) bounds.push(end, end)
    if (bounds.length / 2 > maxRows)
      throw new UnreadableBodyError(`has more than ${maxRows} rows; send them in several requests`)
  }
  for (let at = start; at < body.length && scan.end === undefined; at += SCANNED_AT_ONCE) {
    scan.read(body, Math.min(at + SCANNED_AT_ONCE, body.length), onElement)
    if (work.isDue(SCANNED_AT_ONCE)) await work.pause()
  }
  if (scan.end === undefined) throw notJson('it ends within the array')
  if (body[scan.end] !== CLOSE || afterSpace(body, scan.end + 1, body.length) < body.length)
    throw notJson(`something else follows at ${scan.end}`)
  return { bounds, count: bounds.length / 2 }
}

const SCANNED_AT_ONCE = 65_536

/** What is between two places, but for space around it. @returns false: nothing is, and nothing was added */
function add(bounds: number[], body: Buffer, from: number, end: number): boolean {
  const first = afterSpace(body, from, end)
  if (first === end) return false
  let last = end
  while (isSpace(body[last - 1])) last--
  bounds.push(first, last)
  return true
}

function afterSpace(body: Buffer, from: number, end: number): number {
  let at = from
  while (at < end && isSpace(body[at])) at++
  return at
}

/** JSON's. */
const isSpace = (byte = 0): boolean => byte === 32 || byte === LINE_FEED || byte === 13 || byte === 9
const [LINE_FEED, COMMA, OPEN, CLOSE] = [10, 44, 91, 93]

/** How long the mark is by which some say that what follows is UTF-8: it is none of it. */
function markOf(body: Buffer): number {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0
}

export function notJson(why: string): UnreadableBodyError {
  return new UnreadableBodyError(`is not JSON: ${why}`)
}
