import { LINE_FEED } from './lines.js'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** An event as it is accepted. */
export interface IngestEvent {
  /** Where it goes: events of one partition are written together. */
  readonly partition: string
  /** As the node is to be given it: one line, such as a JSON object. */
  readonly row: string
}

/** What a payload holds of one partition. */
export interface PartitionRows {
  readonly partition: string
  readonly count: number
  readonly bytes: number
}

type Stretch = readonly [partition: string, count: number, bytes: number]
/** What a payload begins with: what there is, with the note where there is one. */
type Head = readonly Stretch[] | { readonly note: string; readonly rows: readonly Stretch[] }

/**
 * Events of one request as they lie in the spool: a line that says what there is, then the rows by partition, a line each.
 * @param note kept with them
 * @throws TypeError for a row that is more than one line, or empty
 */
export function encodePayload(events: readonly IngestEvent[], note?: string): Uint8Array {
  const rows = new Map<string, string[]>()
  for (const [i, { partition, row }] of events.entries()) {
    if (row === '' || row.includes('\n'))
      throw Object.assign(new TypeError(`IngestPipeline.accept: events[${i}].row must be one line and not empty`), {
        field: `events[${i}].row`,
      })
    const own = rows.get(partition)
    if (own) own.push(row)
    else rows.set(partition, [row])
  }
  const texts = [...rows].map(([partition, own]) => ({
    partition,
    count: own.length,
    text: encoder.encode(own.join('\n')),
  }))
  const stretches = texts.map(({ partition, count, text }): Stretch => [partition, count, text.length])
  const written: Head = note === undefined ? stretches : { note, rows: stretches }
  const head = encoder.encode(JSON.stringify(written))
  const payload = new Uint8Array(head.length + texts.reduce((sum, { text }) => sum + 1 + text.length, 0))
  payload.set(head)
  let at = head.length
  for (const { text } of texts) {
    payload[at] = LINE_FEED
    payload.set(text, at + 1)
    at += 1 + text.length
  }
  return payload
}

/** What a payload holds, without its rows. */
export function partitionsOf(payload: Uint8Array): PartitionRows[] {
  const head = headOf(payload)
  return ('rows' in head ? head.rows : head).map(([partition, count, bytes]) => ({ partition, count, bytes }))
}

/** Undefined: there is none. */
export function noteOf(payload: Uint8Array): string | undefined {
  const head = headOf(payload)
  return 'note' in head ? head.note : undefined
}

function headOf(payload: Uint8Array): Head {
  const end = payload.indexOf(LINE_FEED)
  return JSON.parse(decoder.decode(end < 0 ? payload : payload.subarray(0, end))) // it was written by encodePayload
}

/** All partitions with their rows. */
export function* stretchesOf(payload: Uint8Array): Generator<PartitionRows & { readonly lines: Uint8Array }> {
  let at = payload.indexOf(LINE_FEED) + 1
  for (const rows of partitionsOf(payload)) {
    yield { ...rows, lines: payload.subarray(at, at + rows.bytes) }
    at += rows.bytes + 1
  }
}

/** The rows of one partition, in the order in which they came; empty: there are none. */
export function linesOf(payload: Uint8Array, partition: string): Uint8Array {
  for (const { partition: other, lines } of stretchesOf(payload)) if (other === partition) return lines
  return new Uint8Array()
}
