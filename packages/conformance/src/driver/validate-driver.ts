import { drawsOf, entriesOf, type TableEntry } from '../run/run-case.js'
import { loadTable } from '../table/load.js'
import { specTable } from '../table/schemas.js'
import { SUITES, type Table } from '../table/table.js'
import type { DriverHello, DriverRun } from './protocol.js'
import { runOf } from './run-session.js'
import type { DriverProcess } from './session.js'
import { checks, checkWords } from './validate/checks.js'
import { type Finding, Flaw } from './validate/finding.js'
import { Probe } from './validate/probe.js'
import { greet } from './validate/talk.js'

export interface DriverCheck {
  /** How it introduces itself; null where it does not. */
  driver: DriverHello | null
  /** What is wrong with it, in sentences; none: nothing. */
  findings: readonly Finding[]
}

/** How many cases of each suite are asked. */
const CASES = 4

/**
 * Looks at how a driver speaks, not at whether its answers are right: hello, cases one by one and many at once, fields
 * and commands it does not know, garbage, bye, and the end of its input. Each is tried with a process of its own.
 *
 * @param options `timeoutMs` is how long it may be silent.
 */
export async function validateDriver(options: DriverProcess): Promise<DriverCheck> {
  const findings: Finding[] = []
  const attempt = async <T>(check: (probe: Probe) => Promise<T>): Promise<T | null> => {
    options.signal?.throwIfAborted()
    const probe = new Probe(options)
    try {
      return await check(probe)
    } catch (error) {
      if (!(error instanceof Flaw)) throw error
      const stderr = probe.stderr()
      const says = stderr === '' ? error.message : `${error.message}\n${stderr.replace(/^/gm, '  ')}`
      findings.push({ level: error.level, says })
      return null
    } finally {
      await probe.end()
    }
  }
  const driver = await attempt(greet)
  if (driver === null) return { driver, findings }
  const tables = SUITES.map((suite) => loadTable(specTable(suite)))
  const needs = [...new Set(tables.flatMap(({ cases }) => cases.flatMap((row) => row.needs)))].sort()
  for (const flaw of checkWords(driver, needs)) findings.push({ level: flaw.level, says: flaw.message })
  const runs = tables.flatMap((table) => someRuns(table, driver))
  for (const check of checks) await attempt((probe) => check(probe, runs))
  return { driver, findings }
}

function namesPreset(entry: TableEntry): boolean {
  return 'policy' in entry && entry.row.policy?.preset !== undefined
}

/** Some cases that need nothing special, each of another rule. */
function someRuns(table: Table, { suites }: DriverHello): DriverRun[] {
  if (!suites.includes(table.suite)) return []
  const plain = entriesOf(table).filter((entry) => entry.row.needs.length === 0 && !namesPreset(entry))
  const rules = new Set<string | null>()
  const some = plain.filter(({ row }) => !rules.has(row.rule) && rules.add(row.rule))
  return some.slice(0, CASES).map((entry) => runOf(entry, drawsOf(entry.row)[0] ?? []))
}
