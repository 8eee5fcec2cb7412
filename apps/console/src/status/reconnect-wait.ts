const BASE_MS = 500
const CAP_MS = 15_000

/**
 * How long to wait before a stream is opened again, in ms: never less than the server asked for, and otherwise random up
 * to a bound that doubles with each failure in a row, from 500 ms to 15 s, but at least a quarter of a second.
 *
 * @param failures in a row, 0 after a stream that was well
 * @param statedMs what the server asked for, or null
 * @param random a draw from [0, 1)
 */
export function reconnectWaitMs(failures: number, statedMs: number | null, random: number): number {
  const bound = Math.min(CAP_MS, BASE_MS * 2 ** failures)
  return Math.max(statedMs ?? 0, 250, Math.floor(random * bound))
}
