import {
  globFilter,
  loadTable,
  loadTables,
  SUITES,
  specTable,
  type Table,
  type TableCase,
  unmatchedGlobs,
} from '@sluice/conformance'
import { wireRows } from '@sluice/conformance/wire'
import { UsageError } from '../usage-error.js'
import type { Selection } from './options.js'

/** What a command line chooses. */
export interface Selected {
  /** Tables to run, each with a chosen case at least. */
  readonly tables: readonly Table[]
  /** Tables whose real_time rows can be played over sockets. */
  readonly wireTables: readonly Table[]
  /** Whether that was asked for. */
  readonly wire: boolean
  /** Of every case there is, chosen or not, on the wire too. */
  readonly ids: readonly string[]
  readonly filter: (id: string) => boolean
}

export const tablesOf = (source: string | undefined): Table[] =>
  source === undefined ? SUITES.map((suite) => loadTable(specTable(suite))) : loadTables(source)

/** @throws UsageError for a suite or a glob that chooses nothing; TableError for tables that are not sound */
export function select({ suite = [], tables: source, run = [], skip = [] }: Selection): Selected {
  const known = [...SUITES, 'wire']
  const unknown = suite.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new UsageError(`--suite: ${unknown} is none; there are ${known.join(', ')}`)
  const all = tablesOf(source)
  const tables = suite.length === 0 ? all : all.filter((table) => suite.includes(table.suite))
  const wireTables = all.filter((table) => wireRows(table).length > 0)
  if (tables.length === 0 && !(suite.includes('wire') && wireTables.length > 0))
    throw new UsageError(`--suite: ${source ?? 'the specification'} holds no table of ${suite.join(', ')}`)

  const wireIds = wireTables.flatMap((table) => wireRows(table).map(({ row }) => row.id))
  const ids = [...all.flatMap(({ cases }) => cases.map(({ id }) => id)), ...wireIds]
  const [misspelt] = unmatchedGlobs([...run, ...skip], ids)
  if (misspelt !== undefined)
    throw new UsageError(`--run, --skip: no case is called "${misspelt}"; sluice conformance list shows them`)
  const filter = globFilter({ run, skip })
  const chosen = tables.filter(({ cases }) => cases.some(({ id }) => filter(id)))
  // --run wire/… asks for the wire as well as --suite does.
  const wire = suite.includes('wire') || (suite.length === 0 && chosen.length === 0 && wireIds.some(filter))
  return { tables: chosen, wireTables, wire, ids, filter }
}

/** The chosen cases, in order. */
export function chosenCases({ tables, wireTables, wire, filter }: Selected): TableCase[] {
  const onWire = wire ? wireTables.flatMap((table) => wireRows(table).map(({ row }) => row)) : []
  return [...tables.flatMap(({ cases }): readonly TableCase[] => cases), ...onWire].filter(({ id }) => filter(id))
}
