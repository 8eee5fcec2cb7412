/** A list of an answer that was shortened: how many of how many entries are left. */
export interface Cut {
  readonly value: object
  readonly kept: number
  readonly of: number
}

/**
 * Shortens the list that an answer is, or the longest one directly in it, so that the whole fits.
 * @returns null where there is no such list, or where even without it the rest is too long
 */
export function cutJson(value: unknown, maxChars: number): Cut | null {
  if (Array.isArray(value)) return cutList(value, maxChars - 2, (list) => list)
  if (typeof value !== 'object' || value === null) return null
  let longest: { key: string; list: unknown[]; length: number } | undefined
  for (const [key, list] of Object.entries(value)) {
    const length = Array.isArray(list) ? JSON.stringify(list).length : 0
    if (length > (longest?.length ?? 0)) longest = { key, list, length }
  }
  if (!longest) return null
  const { key, list } = longest
  const rest = JSON.stringify({ ...value, [key]: [] }).length
  return cutList(list, maxChars - rest, (shorter) => ({ ...value, [key]: shorter }))
}

function cutList(list: readonly unknown[], room: number, around: (list: unknown[]) => object): Cut | null {
  let left = room
  let kept = 0
  for (const entry of list) {
    left -= JSON.stringify(entry).length + 1
    if (left < 0) break
    kept++
  }
  return kept === 0 ? null : { value: around(list.slice(0, kept)), kept, of: list.length }
}
