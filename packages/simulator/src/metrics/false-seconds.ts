import type { Recording } from './recording.js'

/** Below this part of its cores in use a server has room for more. */
const BUSY = 0.8

/** The highest that a limit has been, until each second. */
export function highestSoFar(limit: Float64Array): Float64Array {
  let highest = 0
  return limit.map((value) => {
    highest = Math.max(highest, value)
    return highest
  })
}

/** One flag a second: limited without need, the limit below its highest while the server had room for more. */
export function falseSeconds({ limit, busy }: Recording, highest: Float64Array): Uint8Array {
  const used = busy.values
  return Uint8Array.from(limit.values, (value, at) => (value < (highest[at] ?? 0) && (used[at] ?? 1) < BUSY ? 1 : 0))
}
