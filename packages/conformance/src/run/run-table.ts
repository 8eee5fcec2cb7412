import type { MakeClock } from '../clock.js'
import type { Subject } from '../subject.js'
import type { Table } from '../table/table.js'
import type { CaseResult } from './case-result.js'
import { entriesOf, runCase } from './run-case.js'

export interface RunOptions {
  /** Cases to run; the others are left out, and not counted. Default: all. */
  filter?: (id: string) => boolean
  /** Called after each case, in the table's order. */
  onCase?: (result: CaseResult) => void
}

export interface TableResult {
  passed: number
  failed: number
  /** Cases that failed as a list of known failures says. */
  known: number
  /** Cases of level `may` that went otherwise. */
  differs: number
  /** Why cases were skipped, and how many: `decision`, or `needs <feature>`. */
  skipped: { total: number; byReason: Record<string, number> }
  results: readonly CaseResult[]
}

/** Replays every case of a table against a subject, one after another, each on a fresh clock. */
export async function runTable(
  table: Table,
  subject: Subject,
  makeClock: MakeClock,
  options: RunOptions = {},
): Promise<TableResult> {
  const results: CaseResult[] = []
  for (const entry of entriesOf(table)) {
    if (options.filter?.(entry.row.id) === false) continue
    const result = await runCase(entry, subject, makeClock)
    results.push(result)
    options.onCase?.(result)
  }
  return tally(results)
}

/** Counts results by verdict. */
export function tally(results: readonly CaseResult[]): TableResult {
  const count = (verdict: CaseResult['verdict']): number => results.filter((r) => r.verdict === verdict).length
  const byReason: Record<string, number> = {}
  for (const { skipReason } of results) {
    if (skipReason !== null) byReason[skipReason] = (byReason[skipReason] ?? 0) + 1
  }
  return {
    passed: count('passed'),
    failed: count('failed'),
    known: count('known'),
    differs: count('differs'),
    skipped: { total: count('skipped'), byReason },
    results,
  }
}
