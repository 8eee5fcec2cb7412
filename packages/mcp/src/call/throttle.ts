import type { End } from '@sluice/core/words'

/** What a server may use of the codes that JSON-RPC leaves to it (-32000 to -32099): recalls 429. */
export const THROTTLED_CODE = -32029

/** The key of a throttled result's `_meta` (S2). */
export const THROTTLE_META = 'sluice/throttle'

/** What a throttled result tells a program (S2). */
export interface Throttle {
  /** The wait that the server asked for; null where it stated none. */
  readonly retryAfterMs: number | null
  readonly httpStatus: number
  readonly attempts: number
}

export const throttleOf = ({ retryAfterMs, status, attempts }: End): Throttle => ({
  retryAfterMs,
  httpStatus: status ?? 429,
  attempts,
})

/** S2: `throttled: search_logs was rate limited; the server asked to retry in 30s`. */
export function throttleText(tool: string, { retryAfterMs }: Throttle): string {
  const wait =
    retryAfterMs === null ? 'retry shortly' : `the server asked to retry in ${Math.ceil(retryAfterMs / 1000)}s`
  return `throttled: ${tool} was rate limited; ${wait}`
}
