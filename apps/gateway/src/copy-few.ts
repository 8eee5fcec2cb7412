/** Up to so many bytes are copied sooner like this than by a call, which makes a view of them for the collector of garbage. */
export const FEW_BYTES = 512

/**
 * Copies bytes, four at a time.
 * @param from where to begin, and where it has ended
 * @param to where they go: there must be room for them
 */
export function copyFew(source: DataView, from: number, end: number, target: DataView, to: number): void {
  let [at, out] = [from, to]
  for (; at + 4 <= end; at += 4, out += 4) target.setInt32(out, source.getInt32(at))
  for (; at < end; at++, out++) target.setUint8(out, source.getUint8(at))
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
