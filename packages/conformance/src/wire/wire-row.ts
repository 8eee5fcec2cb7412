import type { DriverHello, DriverRun } from '../driver/protocol.js'
import { bodyOf } from '../run/retry-case.js'
import type { Call } from '../subject.js'
import { type CallScenario, isShared, mergedPolicy, type Table } from '../table/table.js'
import { unsupportedReason } from './unsupported.js'

/** One row of call-scenarios as wire mode plays it. */
export interface WireRow {
  /** With the id it has here: `wire/words` for `call-scenarios/words`. */
  row: CallScenario
  policy: Record<string, unknown>
  /** Every default filled in; the url is not known yet. */
  request: Omit<Call['request'], 'url'>
  /** The longest wait that is expected, and how long the whole call may last. Milliseconds. */
  longestWaitMs: number
  wholeMs: number
}

/** `wire/words` for `call-scenarios/words`. */
export function wireId(id: string): string {
  return id.replace(/^call-scenarios\//, 'wire/')
}

/** The real_time rows of a table: none where it is of another suite. */
export function wireRows(table: Table): WireRow[] {
  if (table.suite !== 'call-scenarios') return []
  return table.cases.flatMap((row) =>
    !isShared(row) && row.real_time === true ? [wireRow(row, mergedPolicy(table.policy, row.policy))] : [],
  )
}

function wireRow(row: CallScenario, policy: Record<string, unknown>): WireRow {
  const { method = 'GET', headers, body, idempotent = false } = row.request ?? {}
  const longest = (row.expect.waits_ms ?? []).map((wait) => (typeof wait === 'number' ? wait : wait[1]))
  const sends = row.expect.sends ?? 1
  const answers = row.answers ?? []
  const answering = Array.from({ length: sends }, (_, i) => answers[Math.min(i, answers.length - 1)]?.after_ms ?? 0)
  const timeout = typeof policy.attempt_timeout_ms === 'number' ? policy.attempt_timeout_ms * sends : 0
  return {
    row: { ...row, id: wireId(row.id) },
    policy,
    request: { method, headers: { ...headers }, body: bodyOf(method, body), idempotent },
    longestWaitMs: Math.max(0, ...longest),
    wholeMs: [...longest, ...answering, timeout].reduce((sum, ms) => sum + ms, 0),
  }
}

/** Why this driver is not asked this row, or null. */
export function reasonToSkip({ row }: WireRow, { suites, features }: DriverHello): string | null {
  if (!suites.includes('wire')) return 'does not run wire'
  const lacking = row.needs.find((need) => !features.includes(need))
  if (lacking !== undefined) return `needs ${lacking}`
  const reason = unsupportedReason(row)
  return reason === null ? null : `not on a wire: ${reason}`
}

/** The message of one row. */
export function wireRun({ row: { id, rule, name }, policy, request }: WireRow, baseUrl: string): DriverRun {
  return { suite: 'wire', base_url: baseUrl, policy, case: { id, rule, name, request } }
}
