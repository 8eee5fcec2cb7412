/** CRC-32C (Castagnoli, RFC 3720 §B.4), reflected. */
const POLYNOMIAL = 0x82f63b78

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1
  return crc
})

/**
 * The checksum of some bytes, as an unsigned number of 32 bits.
 * @param seed the checksum of what comes before them. Default 0: nothing does
 */
export function crc32c(bytes: Uint8Array, seed = 0): number {
  let crc = ~seed
  for (const byte of bytes) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}
