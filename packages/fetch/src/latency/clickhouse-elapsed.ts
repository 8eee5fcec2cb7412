import type { LatencyOf } from './latency-of.js'

/** At the end of a JSON answer; a value within `data` that looks like it comes earlier, so the last one counts. */
const ELAPSED = /"statistics"\s*:\s*\{[^{}]*?"elapsed"\s*:\s*(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)/g

/**
 * What ClickHouse and Tinybird say in a JSON answer's `statistics.elapsed`, which is in seconds and comes last: looked
 * for in the end of the body as it streams through. Other answers count by their time to headers.
 */
export const clickhouseElapsed: LatencyOf = ({ headers }) =>
  /\bjson\b/i.test(headers.get('content-type') ?? '')
    ? (tail) => {
        const seconds = [...tail.matchAll(ELAPSED)].at(-1)?.[1]
        return seconds === undefined ? null : Number(seconds) * 1000
      }
    : null
