import type { DataSource } from '@sluice/client'
import { bytes, duration, elapsed, grouped } from './amounts.js'
import type { SourceRow } from './sort-sources.js'

/** A line of the table, as it is written; of what is not known yet `…`. */
export interface LineWords {
  readonly name: string
  readonly condition: SourceRow['condition']
  /** ISO 8601, and as a time of day. */
  readonly since: string
  readonly sinceTime: string
  readonly lasted: string
  readonly behind: string
  readonly backlog: string
  readonly oldest: string
  readonly limit: string
  readonly node: string
}

const UNKNOWN = { behind: '…', backlog: '…', oldest: '…', limit: '…', node: '…' }

/** @param nowMs epoch ms, by the gateway's clock */
export function lineWords(
  { status, condition, details }: SourceRow,
  nowMs: number,
  timeOf: (second: number) => string,
): LineWords {
  const { name, state_since: since } = status
  const sinceMs = Date.parse(since)
  const its = { name, condition, since, sinceTime: timeOf(sinceMs / 1000), lasted: elapsed(nowMs - sinceMs) }
  if (details === undefined) return { ...its, ...UNKNOWN }
  const { freshness, backlog, limited_until, node } = details
  return {
    ...its,
    behind: freshness.lag_s === null ? '–' : duration(freshness.lag_s * 1000),
    backlog: backlogInWords(backlog),
    oldest: backlog.oldest_at === null ? '–' : elapsed(nowMs - Date.parse(backlog.oldest_at)),
    limit: limited_until === null ? 'none' : `until ${timeOf(Date.parse(limited_until) / 1000)}`,
    node,
  }
}

/** `12 rows, 1.0 kB`, and of how many blocks nobody knows. */
function backlogInWords({ rows, bytes: size, unknown_blocks: unknown }: DataSource['backlog']): string {
  if (rows === 0) return 'none'
  return `${grouped(rows)} ${rows === 1 ? 'row' : 'rows'}, ${bytes(size)}${unknown === 0 ? '' : `, ${grouped(unknown)} unknown`}`
}
