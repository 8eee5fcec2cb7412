const FNV_PRIME = 0x01000193
const FNV_OFFSET = 0x811c9dc5

/** A number in [0, 1) that a text always has: FNV-1a over its UTF-16 units, then mixed so that like texts end far apart. */
export function fraction(text: string): number {
  let hash = FNV_OFFSET
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** How much a data source belongs to a node, for rendezvous hashing: the highest score has it (I6). */
export const score = (source: string, node: string): number => fraction(`${source.length}:${source}${node}`)

/** Where a data source stands in the row of those that go back to a node in slow start. Not its score, by which it belongs there. */
export const place = (source: string): number => fraction(`place:${source}`)
