import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadAnyTable, replayed } from './load.js'
import { isRecord } from './problem.js'
import { type CheckedTable, isReplayed, SUITES, type Table } from './table.js'
import { TableError } from './table-error.js'

/**
 * Loads every table of a folder that can be replayed, or one file.
 *
 * @param source a folder or a file, as a path or a file URL. Of a folder its `*.json` files are read that have a `suite`
 * or `cases`; the others are no tables.
 * @throws TableError listing every problem of every file, and where there is no table at all.
 */
export function loadTables(source: URL | string): Table[] {
  const paths = findTables(source)
  const { tables, problems } = loadEach(paths)
  if (problems.length > 0) throw new TableError(problems)
  const toRun = tables.filter(isReplayed)
  if (toRun.length > 0) return toRun
  if (tables.length > 0) return tables.map(replayed) // throws: it says what to do with them
  throw new TableError([
    `${pathOf(source)}: no *.json file in it is a table to be run; a table has "suite": one of ${SUITES.join(', ')}, or a policy and cases`,
  ])
}

/** Loads tables of whatever suite, and gathers what is wrong with each of them and with all together. */
export function loadEach(paths: readonly string[]): { tables: (Table | CheckedTable)[]; problems: string[] } {
  const problems: string[] = []
  const tables = paths.flatMap((path) => {
    try {
      return [loadAnyTable(path)]
    } catch (error) {
      if (!(error instanceof TableError)) throw error
      problems.push(...error.problems)
      return []
    }
  })
  problems.push(...repeatedIds(tables))
  return { tables, problems }
}

/**
 * Finds the tables of a folder: their paths. A file that is named itself is always taken for one.
 *
 * @throws TableError where the source cannot be read.
 */
export function findTables(source: URL | string): string[] {
  const path = pathOf(source)
  try {
    if (!statSync(path).isDirectory()) return [path]
    const names = readdirSync(path).filter((name) => name.endsWith('.json'))
    return names
      .sort()
      .map((name) => join(path, name))
      .filter(looksLikeTable)
  } catch (error) {
    throw new TableError([`${path}: cannot be read: ${error instanceof Error ? error.message : String(error)}`])
  }
}

export function pathOf(source: URL | string): string {
  return source instanceof URL || source.startsWith('file:') ? fileURLToPath(source) : source
}

/** Ids stand for one case in all files that are loaded together. */
function repeatedIds(tables: readonly (Table | CheckedTable)[]): string[] {
  const first = new Map<string, string>()
  return tables.flatMap(({ file, cases }) =>
    cases.flatMap(({ id, rule }) => {
      const other = first.get(id)
      if (other === undefined) first.set(id, file)
      // Ids of the plain format are made up: they may meet those of another file.
      if (other === undefined || other === file || rule === null) return []
      return [`${file}: ${id}: id is taken by a case of ${other}; allowed: an id no other case has`]
    }),
  )
}

/** A package.json lies in many a folder; what has a suite or cases is meant as a table, sound or not. */
function looksLikeTable(path: string): boolean {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isRecord(value) && ('suite' in value || 'cases' in value)
  } catch {
    return true // loading it says where it is broken
  }
}
