import { describe, expect, it } from 'vitest'
import { checkScope, loadTable, RULES, SUITES, specTable } from '../src/index.js'
import { decisionOnly } from '../src/table/scope.js'

/** Rules that no row can state; spec/README.md names the test that pins each of them. */
const NOT_EXPRESSIBLE: readonly string[] = ['I4']

const tables = SUITES.map((suite) => loadTable(specTable(suite)))

describe.each(tables.map((table) => [table.suite, table] as const))('the published table %s', (suite, table) => {
  it('is valid and not empty', () => {
    expect(table.suite).toBe(suite)
    expect(table.cases.length).toBeGreaterThan(0)
  })

  it('gives every id once', () => {
    const ids = table.cases.map(({ id }) => id)
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
  })

  it('has no two cases of one name', () => {
    const names = table.cases.map(({ name }) => name)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })

  it('says scope: decision where no call can be brought to a row, and nowhere else', () => {
    const { cases: rows, policy } = table.suite === 'retry-cases' ? table : { cases: [], policy: {} }
    expect(rows.flatMap((row) => checkScope(row, policy) ?? [])).toEqual([])
    const dodging = rows.filter((row) => row.scope === 'decision' && decisionOnly(row, policy) === null)
    expect(dodging.map(({ id }) => id)).toEqual([])
  })
})

it('every rule has at least one case', () => {
  const pinned = new Set(tables.flatMap(({ cases }) => cases.map(({ rule }) => rule)))
  expect(RULES.filter((rule) => !pinned.has(rule) && !NOT_EXPRESSIBLE.includes(rule))).toEqual([])
  expect(NOT_EXPRESSIBLE.filter((rule) => pinned.has(rule))).toEqual([])
})
