const CHECKSUM_BYTES = 16
const HEADER_BYTES = 9
const UNCOMPRESSED = 0x02

/** With these in the request the server reads {@link wholeBody}, and does not compute its checksum. */
export const WHOLE_BODY = { decompress: 1, http_native_compression_disable_checksumming_on_decompress: 1 } as const

/**
 * A body in one frame of ClickHouse's own, which says how long it is and compresses nothing. Servers of old (18.16) take a
 * body that ends early for a whole one, so that a client that dies has half a block written; of a frame they read all or
 * fail.
 */
export function wholeBody(body: Buffer): readonly Buffer[] {
  const head = Buffer.alloc(CHECKSUM_BYTES + HEADER_BYTES)
  head[CHECKSUM_BYTES] = UNCOMPRESSED
  head.writeUInt32LE(HEADER_BYTES + body.length, CHECKSUM_BYTES + 1)
  head.writeUInt32LE(body.length, CHECKSUM_BYTES + 5)
  return [head, body]
}
