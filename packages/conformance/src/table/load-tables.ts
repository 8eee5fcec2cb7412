import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadTable } from './load.js'
import { isPlain } from './plain-format.js'
import { isRecord } from './problem.js'
import { isSuite, SUITES, type Table } from './table.js'
import { TableError } from './table-error.js'

/** What lies in a folder of tables, or what one file is. */
export interface TableFiles {
  /** Paths of the files that hold a table. */
  tables: readonly string[]
  /** JSON files that do not, and why. */
  ignored: readonly { file: string; why: string }[]
}

/**
 * Loads every table of a folder, or one file.
 *
 * @param source a folder or a file, as a path or a file URL. Of a folder its `*.json` files are read that name a known
 * suite, or are in the plain public format; the others are passed over.
 * @throws TableError listing every problem of every file, and where there is no table at all.
 */
export function loadTables(source: URL | string): Table[] {
  const { tables } = findTables(source)
  if (tables.length === 0) {
    throw new TableError([
      `${pathOf(source)}: no *.json file in it is a table; a table has "suite": one of ${SUITES.join(', ')}, or a policy and cases`,
    ])
  }
  const problems: string[] = []
  const loaded = tables.flatMap((path) => {
    try {
      return [loadTable(path)]
    } catch (error) {
      if (!(error instanceof TableError)) throw error
      problems.push(...error.problems)
      return []
    }
  })
  problems.push(...repeatedIds(loaded))
  if (problems.length > 0) throw new TableError(problems)
  return loaded
}

/**
 * Finds the tables of a folder. A file that is named itself is always taken for one.
 *
 * @throws TableError where the source cannot be read.
 */
export function findTables(source: URL | string): TableFiles {
  const path = pathOf(source)
  let names: string[]
  try {
    if (!statSync(path).isDirectory()) return { tables: [path], ignored: [] }
    names = readdirSync(path).filter((name) => name.endsWith('.json'))
  } catch (error) {
    throw new TableError([`${path}: cannot be read: ${error instanceof Error ? error.message : String(error)}`])
  }
  const judged = names.sort().map((name) => ({ name, why: reasonToIgnore(join(path, name)) }))
  return {
    tables: judged.flatMap(({ name, why }) => (why === null ? [join(path, name)] : [])),
    ignored: judged.flatMap(({ name, why }) => (why === null ? [] : [{ file: name, why }])),
  }
}

export function pathOf(source: URL | string): string {
  return source instanceof URL || source.startsWith('file:') ? fileURLToPath(source) : source
}

/** Ids stand for one case in all files that are loaded together. */
export function repeatedIds(tables: readonly Table[]): string[] {
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

function reasonToIgnore(path: string): string | null {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null // loading it says where it is broken
  }
  if (!isRecord(value)) return 'is no object'
  if (isSuite(value.suite) || isPlain(value)) return null
  return 'suite' in value ? `is of the suite ${JSON.stringify(value.suite)}` : 'has no suite'
}
