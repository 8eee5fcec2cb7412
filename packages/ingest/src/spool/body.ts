const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** What a record of events says besides the events. */
export interface EventsHead {
  readonly source: string
  /** When they came, in epoch ms: the age of a backlog must survive a restart. */
  readonly atMs: number
}

/** How long the head is: behind it come the events. */
export const bytesOfHead = (source: string): number => 12 + encoder.encode(source).length

/** Time, length of the name, name; behind them come the events. */
export function encodeHead({ source, atMs }: EventsHead): Uint8Array {
  const name = encoder.encode(source)
  const head = new Uint8Array(12 + name.length)
  const view = new DataView(head.buffer)
  view.setFloat64(0, atMs, true)
  view.setUint32(8, name.length, true)
  head.set(name, 12)
  return head
}

export function decodeEvents(body: Uint8Array): EventsHead & { readonly payload: Uint8Array } {
  const view = new DataView(body.buffer, body.byteOffset, body.length)
  const end = 12 + view.getUint32(8, true)
  return { atMs: view.getFloat64(0, true), source: decoder.decode(body.subarray(12, end)), payload: body.subarray(end) }
}

/** The sequence numbers of records that are done, eight bytes each. */
export function encodeDone(sequences: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 * sequences.length))
  for (const [i, sequence] of sequences.entries()) view.setBigUint64(8 * i, BigInt(sequence), true)
  return new Uint8Array(view.buffer)
}

export function decodeDone(body: Uint8Array): number[] {
  const view = new DataView(body.buffer, body.byteOffset, body.length)
  return Array.from({ length: Math.floor(body.length / 8) }, (_, i) => Number(view.getBigUint64(8 * i, true)))
}
