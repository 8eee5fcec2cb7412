import { crc32c } from './crc32c.js'

/** `SLR1`: where a record begins, so that what follows a damaged one is found again. */
const MARKER = 0x31524c53
/** Marker, length of what follows the header, its checksum. */
const HEADER = 12
/** Kind and sequence number. */
const PREFIX = 9

/** Events of one request, the mark that some of them are written, or which of them are a block that may be sent. */
export type RecordKind = 'events' | 'done' | 'claim'
const KINDS: readonly RecordKind[] = ['events', 'done', 'claim']

/** One record of a segment (I4). */
export interface SpoolRecord {
  readonly kind: RecordKind
  /** 1, 2, 3 … through all segments. */
  readonly sequence: number
  readonly body: Uint8Array
  /** Where it begins in its segment, and how long it is. */
  readonly offset: number
  readonly bytes: number
}

/** Bytes that are no record: of what was never finished, where nothing follows them, and else of what was damaged. */
export interface Damage {
  readonly kind: 'damage'
  readonly offset: number
  readonly bytes: number
}

/** A record that is to be written. */
export interface NewRecord {
  readonly kind: RecordKind
  readonly sequence: number
  /** Its pieces, one behind the other. */
  readonly body: readonly Uint8Array[]
}

/** How long a record will be. */
export function bytesOfRecord({ body }: NewRecord): number {
  return body.reduce((sum, { length }) => sum + length, HEADER + PREFIX)
}

/**
 * Writes a record as it lies on disk: marker, length, checksum, kind, sequence number, body; numbers are little-endian.
 * @param target where it has its room, and nothing else is
 * @param seed of its segment, which its checksum begins with: what somebody sent as an event is never taken for a record
 */
function writeRecord(target: Uint8Array, { kind, sequence, body }: NewRecord, seed: number): void {
  const view = new DataView(target.buffer, target.byteOffset, target.length)
  target[HEADER] = KINDS.indexOf(kind)
  view.setBigUint64(HEADER + 1, BigInt(sequence), true)
  let at = HEADER + PREFIX
  for (const piece of body) {
    target.set(piece, at)
    at += piece.length
  }
  view.setUint32(0, MARKER, true)
  view.setUint32(4, at - HEADER, true)
  view.setUint32(8, crc32c(target.subarray(HEADER, at), seed), true)
}

/**
 * Records as they lie one behind the other, in one piece: so what they hold is copied once.
 * @param records each with its {@link bytesOfRecord}
 * @param room where they are laid out, if there is enough of it
 */
export function encodeRecords(
  records: readonly { readonly record: NewRecord; readonly bytes: number }[],
  seed: number,
  room: Uint8Array = new Uint8Array(),
): Uint8Array {
  const bytes = records.reduce((sum, record) => sum + record.bytes, 0)
  const all = bytes > room.length ? Buffer.allocUnsafeSlow(bytes) : room.subarray(0, bytes)
  let at = 0
  for (const { record, bytes } of records) {
    writeRecord(all.subarray(at, at + bytes), record, seed)
    at += bytes
  }
  return all
}

/** The records of a segment with this seed, in turn. Where one is not whole it looks for the next that is. */
export function* readRecords(segment: Uint8Array, seed: number): Generator<SpoolRecord | Damage> {
  let offset = 0
  let damagedFrom: number | null = null
  while (offset < segment.length) {
    const record = recordAt(segment, offset, seed)
    if (!record) {
      damagedFrom ??= offset
      offset = nextMarker(segment, offset + 1)
      continue
    }
    if (damagedFrom !== null) yield { kind: 'damage', offset: damagedFrom, bytes: offset - damagedFrom }
    damagedFrom = null
    yield record
    offset += record.bytes
  }
  if (damagedFrom !== null) yield { kind: 'damage', offset: damagedFrom, bytes: segment.length - damagedFrom }
}

function recordAt(segment: Uint8Array, offset: number, seed: number): SpoolRecord | null {
  if (segment.length - offset < HEADER + PREFIX) return null
  const view = new DataView(segment.buffer, segment.byteOffset + offset, segment.length - offset)
  const length = view.getUint32(4, true)
  if (view.getUint32(0, true) !== MARKER || length < PREFIX || length > view.byteLength - HEADER) return null
  const content = segment.subarray(offset + HEADER, offset + HEADER + length)
  if (view.getUint32(8, true) !== crc32c(content, seed)) return null
  const kind = KINDS[content[0] ?? KINDS.length]
  if (kind === undefined) return null
  const sequence = Number(view.getBigUint64(HEADER + 1, true))
  return { kind, sequence, body: content.subarray(PREFIX), offset, bytes: HEADER + length }
}

/** Where the next marker stands; the end, where there is none. */
function nextMarker(segment: Uint8Array, from: number): number {
  for (let at = segment.indexOf(MARKER & 0xff, from); at >= 0; at = segment.indexOf(MARKER & 0xff, at + 1)) {
    if (segment[at + 1] === 0x4c && segment[at + 2] === 0x52 && segment[at + 3] === 0x31) return at
  }
  return segment.length
}

/**
 * Whether damage is what a write that was broken off leaves: nothing follows it, and it begins as a record that goes on
 * longer, or is nothing but zeros, which is what a file that grew before its content came is read as. What is whole but for
 * its header was there once.
 */
export function isCutShort(segment: Uint8Array, { offset, bytes }: Damage, seed: number): boolean {
  if (offset + bytes < segment.length) return false
  const tail = segment.subarray(offset)
  if (tail.every((byte) => byte === 0)) return true
  const view = new DataView(segment.buffer, segment.byteOffset + offset, bytes)
  const marker = Uint8Array.from([0x53, 0x4c, 0x52, 0x31]).subarray(0, bytes)
  if (!marker.every((byte, i) => byte === tail[i])) return false
  if (bytes < HEADER + PREFIX) return true
  return view.getUint32(4, true) > bytes - HEADER && view.getUint32(8, true) !== crc32c(tail.subarray(HEADER), seed)
}
