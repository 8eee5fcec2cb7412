import type { TableResult } from '../run/run-table.js'

/** What one table came to, or one table in wire mode. */
export interface SuiteReport {
  /** `retry-cases`, `call-scenarios`, `backoff-scenarios`, `wire`. */
  suite: string
  /** The table's file name; null where there is none. */
  file: string | null
  result: TableResult
  /** Stated fields that a driver said it never tells, and in how many replays they were not compared. */
  untold: Readonly<Record<string, number>>
}

/** A whole run. */
export interface Report {
  /** What was tested. */
  subject: { name: string; version: string | null; language: string | null }
  suites: readonly SuiteReport[]
  /** Milliseconds. */
  durationMs: number
}

/** 1 where a case failed, or a known-failing one passed; else 0. */
export function exitCodeOf({ suites }: Pick<Report, 'suites'>): 0 | 1 {
  return suites.some(({ result }) => result.failed > 0) ? 1 : 0
}
