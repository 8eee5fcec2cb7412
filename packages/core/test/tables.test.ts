import { entriesOf, loadTable, runCase, runTable, SUITES, specTable, type TableEntry } from '@sluice/conformance'
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
const wrongly = (entry: TableEntry, field: string, value: unknown): TableEntry =>
  // The same row with another expectation of the same kind.
  ({ ...entry, row: { ...entry.row, expect: { ...entry.row.expect, [field]: value } } }) as TableEntry

const wrong = (value: unknown): unknown => {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (Array.isArray(value)) return [...value, 1]
  return value === null ? 'not null' : 'something else'
}

test.each(SUITES)('every expectation of %s can fail', { timeout: 120_000 }, async (suite) => {
  const unnoticed: string[] = []
  for (const entry of entriesOf(loadTable(specTable(suite)))) {
    for (const [field, value] of Object.entries(entry.row.expect ?? {})) {
      // A minimum one higher, a maximum one lower: bounds are tight where all three draws reach them, so go past both.
      const other = field === 'wait_ms_max' ? -1 : field === 'wait_ms_min' ? Number.MAX_SAFE_INTEGER : wrong(value)
      const { verdict } = await runCase(wrongly(entry, field, other), subject, makeClock)
      if (verdict !== 'failed') unnoticed.push(`${entry.row.id}: ${field} ${value} → ${other}`)
    }
  }
  expect(unnoticed).toEqual([])
})
