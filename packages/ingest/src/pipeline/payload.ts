import { checkEvents } from './check-input.js'
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

/** They lie together, a line each. */
export interface PayloadStretch extends PartitionRows {
  /** Where in the payload. */
  readonly offset: number
  readonly lines: Uint8Array
}

type Stretch = readonly [partition: string, count: number, bytes: number]
/** What a payload begins with: what there is, with the note where there is one. */
type Head = readonly Stretch[] | { readonly note: string; readonly rows: readonly Stretch[] }

/**
 * Events of one request as they lie in the spool: a line that says what there is, then the rows by partition, a line each.
 * @param note kept with them
 * @throws TypeError as {@link checkEvents}
 */
export function encodePayload(events: readonly IngestEvent[], note?: string): Uint8Array {
  checkEvents(events)
  const rows = new Map<string, string[]>()
  for (const { partition, row } of events) {
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

/** Undefined: there is none. */
export function noteOf(payload: Uint8Array): string | undefined {
  const head = headOf(payload)
  return 'note' in head ? head.note : undefined
}

function headOf(payload: Uint8Array): Head {
  const end = payload.indexOf(LINE_FEED)
  return JSON.parse(decoder.decode(end < 0 ? payload : payload.subarray(0, end))) // it was written by encodePayload
}

/** All partitions with their rows, each once. */
export function* stretchesOf(payload: Uint8Array): Generator<PayloadStretch> {
  const head = headOf(payload)
  let offset = payload.indexOf(LINE_FEED) + 1
  for (const [partition, count, bytes] of 'rows' in head ? head.rows : head) {
    yield { partition, count, bytes, offset, lines: payload.subarray(offset, offset + bytes) }
    offset += bytes + 1
  }
}
