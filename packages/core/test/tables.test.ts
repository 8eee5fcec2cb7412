import {
  CALL_SUITES,
  entriesOf,
  isShared,
  loadTable,
  runCase,
  runTable,
  specTable,
  type Table,
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
type CallEntry = Exclude<TableEntry, { config: unknown }>
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
    if ('config' in entry || isShared(entry.row)) continue // below
    for (const [field, value] of Object.entries(entry.row.expect ?? {})) {
      // A minimum one higher, a maximum one lower: bounds are tight where all three draws reach them, so go past both.
      const other = field === 'wait_ms_max' ? -1 : field === 'wait_ms_min' ? Number.MAX_SAFE_INTEGER : wrong(value)
      const { verdict } = await runCase(wrongly(entry, field, other), subject, makeClock)
      if (verdict !== 'failed') unnoticed.push(`${entry.row.id}: ${field} ${value} → ${other}`)
    }
  }
  expect(unnoticed).toEqual([])
})

const FEATURES = [
  ...['hints', 'attempt-timeout', 'deadline', 'throttle-budget', 'retry-budget'],
  ...['limiter', 'prior', 'shadow', 'events', 'knee', 'restart'],
]

type Expectation = Readonly<Record<string, unknown>>

/** Each expectation with one field made wrong. */
const wrongFields = (stated: Expectation): Expectation[] =>
  Object.entries(stated).map(([field, value]) => {
    const other = field === 'refused' ? { queue_full: 77 } : isRange(value) ? { min: -2, max: -1 } : wrong(value)
    return { ...stated, [field]: other }
  })
const isRange = (value: unknown): boolean => typeof value === 'object' && value !== null && 'min' in value

/** The parts, once for each thing that one of them expects, made wrong. */
const wrongParts = <Part extends { readonly expect?: object }>(parts: readonly Part[]): Part[][] =>
  parts.flatMap((part, index) =>
    wrongFields({ ...part.expect }).map((expect) => parts.map((one, i) => (i === index ? { ...one, expect } : one))),
  )

/** How many of the wrong rows are, and which of them pass. Each row is played once, and its answer held against them all. */
async function unnoticedOf(table: Table): Promise<{ rows: number; unnoticed: string[] }> {
  const driver = driverOf(subject, { name: 'core', version: '0', features: FEATURES, makeClock })
  const answers = new Map<string, Promise<DriverAnswer>>()
  const once: typeof driver.run = (run, signal) => {
    const key = `${run.case.id} ${'random' in run ? run.random : ''}`
    const answer = answers.get(key) ?? driver.run(run, signal)
    answers.set(key, answer)
    return answer
  }
  const [report] = await runSession(inProcess({ ...driver, run: once }), { tables: [table] })
  const unnoticed = report?.result.results.filter(({ verdict }) => verdict !== 'failed').map(({ id }) => id) ?? []
  return { rows: table.cases.length, unnoticed }
}

test('every expectation of backoff-scenarios can fail', { timeout: 120_000 }, async () => {
  const table = loadTable(specTable('backoff-scenarios'))
  if (table.suite !== 'backoff-scenarios') throw new Error('it has another suite')
  const cases = table.cases.flatMap((row) => wrongParts(row.steps).map((steps) => ({ ...row, steps })))
  const { rows, unnoticed } = await unnoticedOf({ ...table, cases })
  expect(rows).toBeGreaterThan(500)
  expect(unnoticed).toEqual([])
})

test('every expectation of calls that share a limiter can fail', { timeout: 120_000 }, async () => {
  const table = loadTable(specTable('call-scenarios'))
  if (table.suite !== 'call-scenarios') throw new Error('it has another suite')
  const cases = table.cases
    .filter(isShared)
    .flatMap((row) => [
      ...wrongParts(row.calls).map((calls) => ({ ...row, calls })),
      ...wrongParts(row.looks ?? []).map((looks) => ({ ...row, looks })),
    ])
  const { rows, unnoticed } = await unnoticedOf({ ...table, cases })
  expect(rows).toBeGreaterThan(1000)
  expect(unnoticed).toEqual([])
})
