import {
  CALL_SUITES,
  entriesOf,
  type LimitScenario,
  loadTable,
  runCase,
  runTable,
  specTable,
  type TableEntry,
} from '@sluice/conformance'
import { type DriverAnswer, driverOf, inProcess, runSession } from '@sluice/conformance/driver'
import * as core from '@sluice/core'
import { coreSubject } from '@sluice/core/conformance'
import { VirtualClock } from '@sluice/core/testing'
import { expect, test } from 'vitest'

const subject = coreSubject(core)
const makeClock = (wallNow: number): VirtualClock => new VirtualClock(wallNow)

test('a file in the plain public format loads and replays unchanged', async () => {
  const table = loadTable(new URL('./plain-format.json', import.meta.url))
  const { passed, failed, skipped } = await runTable(table, subject, makeClock)
  expect({ passed, failed, skipped: skipped.total }).toEqual({ passed: 9, failed: 0, skipped: 0 })
})

/** The row with one expectation made wrong. */
type CallEntry = Exclude<TableEntry, { suite: 'backoff-scenarios' }>
const wrongly = (entry: CallEntry, field: string, value: unknown): TableEntry =>
  // The same row with another expectation of the same kind.
  ({ ...entry, row: { ...entry.row, expect: { ...entry.row.expect, [field]: value } } }) as CallEntry

const wrong = (value: unknown): unknown => {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (Array.isArray(value)) return [...value, 1]
  return value === null ? 'not null' : 'something else'
}

test.each(CALL_SUITES)('every expectation of %s can fail', { timeout: 120_000 }, async (suite) => {
  const unnoticed: string[] = []
  for (const entry of entriesOf(loadTable(specTable(suite)))) {
    if (entry.suite === 'backoff-scenarios') continue // below
    for (const [field, value] of Object.entries(entry.row.expect ?? {})) {
      // A minimum one higher, a maximum one lower: bounds are tight where all three draws reach them, so go past both.
      const other = field === 'wait_ms_max' ? -1 : field === 'wait_ms_min' ? Number.MAX_SAFE_INTEGER : wrong(value)
      const { verdict } = await runCase(wrongly(entry, field, other), subject, makeClock)
      if (verdict !== 'failed') unnoticed.push(`${entry.row.id}: ${field} ${value} → ${other}`)
    }
  }
  expect(unnoticed).toEqual([])
})

const FEATURES = ['prior', 'shadow', 'events']

/** The scenario once for each thing that it expects, made wrong. */
const wronged = (row: LimitScenario): LimitScenario[] =>
  row.steps.flatMap(({ expect: stated = {} }, index) =>
    Object.entries(stated).map(([field, value]) => {
      const other = field === 'refused' ? { queue_full: 77 } : isRange(value) ? { min: -2, max: -1 } : wrong(value)
      const steps = row.steps.map((step, i) =>
        i === index ? { ...step, expect: { ...stated, [field]: other } } : step,
      )
      // An expectation of the same field with another value, which may be none that the field can have.
      return { ...row, steps: steps as LimitScenario['steps'] }
    }),
  )
const isRange = (value: unknown): boolean => typeof value === 'object' && value !== null && 'min' in value

test('every expectation of backoff-scenarios can fail', { timeout: 120_000 }, async () => {
  const table = loadTable(specTable('backoff-scenarios'))
  if (table.suite !== 'backoff-scenarios') throw new Error('it has another suite')
  const driver = driverOf(subject, { name: 'core', version: '0', features: FEATURES, makeClock })
  // Each scenario is played once, and its answer held against every wrong version.
  const answers = new Map<string, Promise<DriverAnswer>>()
  const once: typeof driver.run = (run, signal) => {
    const { id } = run.case
    const answer = answers.get(id) ?? driver.run(run, signal)
    answers.set(id, answer)
    return answer
  }
  const cases = table.cases.flatMap(wronged)
  const [report] = await runSession(inProcess({ ...driver, run: once }), { tables: [{ ...table, cases }] })
  expect(cases.length).toBeGreaterThan(500)
  expect(report?.result.results.filter(({ verdict }) => verdict !== 'failed').map(({ id }) => id)).toEqual([])
})
