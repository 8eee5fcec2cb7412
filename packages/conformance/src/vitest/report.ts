import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CaseResult } from '../run/case-result.js'
import { tally } from '../run/run-table.js'

/** What one package's replay of one suite came to: `.report/replay-<suite>.json` in the package's folder. */
export interface ReplayReport {
  /** The specifier that was replayed, `@sluice/fetch`, say. */
  entry: string
  suite: string
  passed: number
  failed: number
  differs: number
  skipped: number
  /** Skipped rows of scope `decision`: the package has no decision function. */
  decision: number
  skippedByReason: Record<string, number>
  /** Rows of the suite's tables, whether they ran or not. */
  total: number
}

/** Writes the report of one suite under `folder`, and answers it. */
export function writeReport(
  folder: string,
  entry: string,
  suite: string,
  total: number,
  results: readonly CaseResult[],
): ReplayReport {
  const { passed, failed, differs, skipped } = tally(results)
  const report: ReplayReport = {
    entry,
    suite,
    passed,
    failed,
    differs,
    skipped: skipped.total,
    decision: skipped.byReason.decision ?? 0,
    skippedByReason: skipped.byReason,
    total,
  }
  mkdirSync(join(folder, '.report'), { recursive: true })
  writeFileSync(join(folder, '.report', `replay-${suite}.json`), `${JSON.stringify(report, null, 2)}\n`)
  return report
}
