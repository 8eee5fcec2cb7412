import type { SpoolFiles } from './files.js'
import type { KeptRecord, KeptRecords } from './kept-records.js'

/** Some bytes of a kept record. */
export interface KeptBytes {
  readonly sequence: number
  /** From its beginning. */
  readonly from: number
  readonly bytes: number
}

/** What was read, and the secret of the segment in which it lay then: meanwhile it may lie elsewhere. */
export interface KeptContent {
  readonly bytes: Uint8Array
  readonly seed: number
}

/** What lies nearer to one another than this is read at once. */
const GAP_BYTES = 16_384
/** And so much of it at most, where one alone is not more. */
export const PIECE_BYTES = 1_048_576

/** What is read at once of one segment, and for which of those that are wanted. */
interface Span {
  readonly path: string
  readonly seed: number
  readonly offset: number
  end: number
  readonly wanted: { readonly index: number; readonly offset: number; readonly bytes: number }[]
}

/**
 * Reads some bytes of records, wherever they lie, and keeps little beside them in memory.
 * @returns one for each, in turn; undefined: of what is done, or not known
 * @throws what the file system says
 */
export async function readKept(
  files: SpoolFiles,
  kept: KeptRecords,
  wanted: readonly KeptBytes[],
): Promise<(KeptContent | undefined)[]> {
  const found: (KeptContent | undefined)[] = wanted.map(() => undefined)
  for (let from = 0; from < wanted.length; ) {
    const { spans, to } = spansFrom(kept, wanted, from)
    try {
      await readSpans(files, spans, found)
    } catch (error) {
      const hasMoved = ({ path, wanted: own }: Span): boolean =>
        own.some(({ index }) => (kept.get(wanted[index]?.sequence ?? 0)?.path ?? '') !== path)
      if (!spans.some(hasMoved)) throw error
      continue // its segment went meanwhile: it lies elsewhere now, or is done
    }
    from = to
  }
  return found
}

async function readSpans(files: SpoolFiles, spans: readonly Span[], found: (KeptContent | undefined)[]): Promise<void> {
  const stretches = spans.map(({ offset, end }) => ({ offset, bytes: end - offset }))
  const contents = spans[0] ? await files.readAt(spans[0].path, stretches) : []
  for (const [i, { offset, seed, wanted }] of spans.entries())
    for (const one of wanted) {
      const own = contents[i]?.subarray(one.offset - offset, one.offset - offset + one.bytes)
      // Not all that lies between.
      found[one.index] = own && { bytes: wanted.length === 1 ? own : own.slice(), seed }
    }
}

/** What is wanted from here on, as far as it lies in one segment and is not too much. */
function spansFrom(kept: KeptRecords, wanted: readonly KeptBytes[], from: number): { spans: Span[]; to: number } {
  const spans: Span[] = []
  let bytes = 0
  let to = from
  for (; to < wanted.length; to++) {
    const record = kept.get(wanted[to]?.sequence ?? 0)
    if (!record) continue
    const { offset, end } = placeOf(record, wanted[to])
    const last = spans.at(-1)
    if (last && last.path !== record.path) break
    const isNear = last !== undefined && offset >= last.end && offset - last.end <= GAP_BYTES
    const more = end - (isNear ? last.end : offset)
    if (last && bytes + more > PIECE_BYTES) break
    bytes += more
    const own = { index: to, offset, bytes: end - offset }
    if (isNear) {
      last.end = end
      last.wanted.push(own)
    } else spans.push({ path: record.path, seed: record.seed, offset, end, wanted: [own] })
  }
  return { spans, to }
}

function placeOf(record: KeptRecord, { from, bytes }: KeptBytes = { sequence: 0, from: 0, bytes: 0 }) {
  return { offset: record.offset + from, end: record.offset + Math.min(record.bytes, from + bytes) }
}
