import type { SuiteReport } from '../report/report.js'
import type { CaseResult } from '../run/case-result.js'
import { Comparison } from '../run/mismatch.js'
import { differing, drawsOf, entriesOf, type TableEntry, unplayed } from '../run/run-case.js'
import { tally } from '../run/run-table.js'
import type { SharedScenario } from '../table/shared-scenario.js'
import { isShared, mergedPolicy, type Table, type TablePolicy } from '../table/table.js'
import { compareActual } from './compare-actual.js'
import type { DriverRun, DriverSession } from './protocol.js'
import { slots } from './slots.js'

export interface SessionOptions {
  tables: readonly Table[]
  /** Cases to run; the others are left out, and not counted. Default: all. */
  filter?: (id: string) => boolean
  /** Called once a case, in the tables' order. */
  onCase?: (result: CaseResult, suite: string) => void
  /** How many cases may wait for an answer at a time; 1 makes a crash point at its case without doubt. Default 16. */
  window?: number
}

/**
 * Asks a driver every case of some tables.
 *
 * @throws DriverError where it breaks the protocol.
 */
export async function runSession(session: DriverSession, options: SessionOptions): Promise<SuiteReport[]> {
  const { tables, filter = () => true, onCase, window = 16 } = options
  const slot = slots(window)
  const ask: DriverSession['run'] = (run) => slot(() => session.run(run))
  const reports: SuiteReport[] = []
  for (const table of tables) {
    const untold: Record<string, number> = {}
    const entries = entriesOf(table).filter(({ row }) => filter(row.id))
    const results: CaseResult[] = []
    const running = entries.map((entry) => runEntry(entry, session, ask, untold))
    // Told in the table's order, however the answers come.
    const told = running.reduce(async (before, one) => {
      await before
      const result = await one
      results.push(result)
      onCase?.(result, table.suite)
    }, Promise.resolve())
    await Promise.all([...running, told])
    reports.push({ suite: table.suite, file: table.file, result: tally(results), untold })
  }
  return reports
}

async function runEntry(
  entry: TableEntry,
  { hello }: DriverSession,
  ask: DriverSession['run'],
  untold: Record<string, number>,
): Promise<CaseResult> {
  const { row } = entry
  const result = unplayed(row)
  const skip = (skipReason: string): CaseResult => ({ ...result, verdict: 'skipped', skipReason })
  if (!hello.suites.includes(entry.suite)) return skip(`does not run ${entry.suite}`)
  const lacking = row.needs.find((need) => !hello.features.includes(need))
  if (lacking !== undefined) return skip(`needs ${lacking}`)

  const draws = drawsOf(row)
  const answers = await Promise.all(draws.map((some) => ask(runOf(entry, some))))
  let sends = 0
  for (const [i, answer] of answers.entries()) {
    if ('skipped' in answer) return skip(`driver: ${answer.skipped}`)
    const compare = new Comparison()
    if ('error' in answer) compare.fail('driver', 'an answer', `the error ${answer.error}`)
    else {
      sends += answer.actual.sends ?? 0
      for (const field of compareActual(compare, entry, answer.actual, hello.features)) {
        untold[field] = (untold[field] ?? 0) + 1
      }
    }
    if (compare.mismatches.length > 0) return { ...result, ...differing(row, draws[i] ?? [], compare), sends }
  }
  return { ...result, sends }
}

/** The message of one case with these draws. */
export function runOf(entry: TableEntry, draws: readonly number[]): DriverRun {
  if (entry.suite === 'backoff-scenarios' || entry.suite === 'ingest-scenarios') {
    const { suite, config } = entry
    const { config_error, ...row } = entry.row
    const steps = row.steps.map(({ expect, ...step }: { readonly expect?: unknown }) => step)
    return { suite, config: mergedPolicy(config, row.config), case: { ...row, steps } }
  }
  const { suite, row } = entry
  const policy = mergedPolicy(entry.policy, row.policy)
  const { expect, ...asked } = row
  const [only = 0, ...more] = draws
  const input = isShared(row) ? sharedInput(row, policy) : asked
  return { suite, policy, case: input, random: more.length === 0 ? only : draws }
}

/** Several calls without what they expect, each with its whole policy. */
function sharedInput({ catches, calls, looks = [], ...row }: SharedScenario, policy: TablePolicy): DriverRun['case'] {
  return {
    ...row,
    calls: calls.map(({ expect, ...call }) => ({ ...call, policy: mergedPolicy(policy, call.policy) })),
    looks: looks.map(({ at_ms }) => ({ at_ms })),
  }
}
