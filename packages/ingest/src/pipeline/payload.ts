import { checkEvents } from './check-input.js'
import { joined, LINE_FEED } from './lines.js'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** An event as it is accepted. */
export interface IngestEvent {
  /** Where it goes: events of one partition are written together. */
  readonly partition: string
  /** As the node is to be given it: one line, such as a JSON object. */
  readonly row: string
}

/** Events of one partition that are lines already, as a block has them: to make a text of each would cost more than all else. */
export interface IngestLines {
  readonly partition: string
  /** UTF-8, with a line feed between two and nowhere else. They are kept as they are: do not change them any more. */
  readonly lines: Uint8Array
  /** How many events these are. */
  readonly count: number
  readonly row?: undefined
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

/** Events of one request as they lie in the spool: a line that says what there is, then the rows by partition, a line each. */
export interface Payload {
  /** One behind the other. */
  readonly pieces: readonly Uint8Array[]
  readonly bytes: number
  readonly stretches: readonly PayloadStretch[]
}

/**
 * The payload of some events. What is lines already is in it as it is, so nobody may change it any more.
 * @param note kept with them
 * @throws TypeError as {@link checkEvents}
 */
export function encodePayload(events: readonly (IngestEvent | IngestLines)[], note?: string): Payload {
  checkEvents(events)
  const partitions = new Map<string, GatheredLines>()
  for (const one of events) {
    const own = partitions.get(one.partition) ?? new GatheredLines()
    if (own.count === 0) partitions.set(one.partition, own)
    if (one.row === undefined) own.addLines(one)
    else own.addRow(one.row)
  }
  const all = Array.from(partitions, ([partition, own]) => ({ partition, count: own.count, lines: own.lines() }))
  const rows = all.map(({ partition, count, lines }): Stretch => [partition, count, lines.length])
  const written: Head = note === undefined ? rows : { note, rows }
  const head = encoder.encode(JSON.stringify(written))
  const pieces: Uint8Array[] = [head]
  let bytes = head.length
  const stretches = all.map(({ partition, count, lines }): PayloadStretch => {
    pieces.push(FEED, lines)
    const offset = bytes + 1
    bytes = offset + lines.length
    return { partition, count, bytes: lines.length, offset, lines }
  })
  return { pieces, bytes, stretches }
}

const FEED = Uint8Array.of(LINE_FEED)

/** Events of one partition, in the order in which they come. */
class GatheredLines {
  readonly #parts: Uint8Array[] = []
  #rows: string[] = []
  count = 0

  addRow(row: string): void {
    this.#rows.push(row)
    this.count++
  }

  addLines({ lines, count }: IngestLines): void {
    this.#encode()
    this.#parts.push(lines)
    this.count += count
  }

  lines(): Uint8Array {
    this.#encode()
    return joined(this.#parts)
  }

  #encode(): void {
    if (this.#rows.length > 0) this.#parts.push(encoder.encode(this.#rows.join('\n')))
    this.#rows = []
  }
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
