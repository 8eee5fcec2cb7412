import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nearest } from '../explain/nearest.js'
import { caseProblems } from './case-problems.js'
import { parseJson } from './json.js'
import { isPlain, plainTable } from './plain-format.js'
import { isRecord, type Problem, problemLine, shown } from './problem.js'
import { schemaProblems } from './schema-problems.js'
import { schemaOf } from './schemas.js'
import { checkScope } from './scope.js'
import { ALL_SUITES, type CheckedTable, isReplayed, isSuite, SUITES, type Table } from './table.js'
import { TableError } from './table-error.js'

/**
 * Reads and validates a table that can be replayed.
 *
 * @param source a file URL or a path.
 * @throws TableError listing every problem, one a line: what is wrong, in which case and field, and what is allowed.
 */
export function loadTable(source: URL | string): Table {
  return replayed(loadAnyTable(source))
}

/** The same, of whatever suite: also a table that is only checked here. */
export function loadAnyTable(source: URL | string): Table | CheckedTable {
  const path = source instanceof URL || source.startsWith('file:') ? fileURLToPath(source) : source
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new TableError([`${path}: cannot be read: ${error instanceof Error ? error.message : String(error)}`])
  }
  return parseAnyTable(text, basename(path))
}

/**
 * Parses and validates a table: one of the suites' tables, or the plain public format (top-level `policy` and `cases`,
 * no `suite`), whose unknown keys are ignored and whose cases get an id made from position and name.
 *
 * @param fileName for messages.
 * @throws TableError listing every problem, one a line.
 */
export function parseTable(text: string, fileName: string): Table {
  return replayed(parseAnyTable(text, fileName))
}

/** @throws TableError for a table that is not replayed here */
export function replayed(table: Table | CheckedTable): Table {
  if (isReplayed(table)) return table
  throw new TableError([
    `${table.file}: suite is "${table.suite}", which each surface replays with its own tests; here it can only be validated; to be run: ${SUITES.join(', ')}`,
  ])
}

function parseAnyTable(text: string, fileName: string): Table | CheckedTable {
  const parsed = parseJson(text)
  if ('problem' in parsed) throw new TableError([`${fileName}: ${parsed.problem}`])
  const read = readTable(parsed.value, fileName)
  if ('table' in read) return read.table
  throw new TableError(read.problems.map((problem) => problemLine(fileName, problem)))
}

type Read = { table: Table | CheckedTable } | { problems: readonly Problem[] }

function readTable(value: unknown, file: string): Read {
  if (!isRecord(value)) return refused('table', `is ${shown(value)}; allowed: an object`)
  if (isPlain(value)) return plainTable(value, file)
  const { suite } = value
  if (suite === undefined) {
    return refused(
      'suite',
      `is missing; allowed: ${ALL_SUITES.join(', ')}, or none beside a top-level policy and cases`,
    )
  }
  if (!isSuite(suite)) {
    const [near] = typeof suite === 'string' ? nearest(suite, ALL_SUITES, 1) : []
    const guess = near === undefined ? '' : ` did you mean ${near}?`
    return refused('suite', `is ${shown(suite)};${guess} allowed: ${ALL_SUITES.join(', ')}`)
  }

  const validate = schemaOf(suite, 'refuse')
  const cases = Array.isArray(value.cases) ? value.cases : []
  const own = caseProblems(suite, cases)
  const valid = validate(value)
  const bySchema = schemaProblems(validate.errors ?? [], value).filter((problem) => !own.some(sameField(problem)))
  const problems = [...own, ...bySchema]
  if (!valid || problems.length > 0) return { problems }

  // The schema has just said so; what it leaves optional gets its default here.
  const rows = cases.map((row) => ({ level: 'must', needs: [], ...row }))
  const defaults = suite === 'backoff-scenarios' || suite === 'ingest-scenarios' ? { config: {} } : { policy: {} }
  const table = { ...defaults, ...value, cases: rows, file } as unknown as Table | CheckedTable
  const scopes = scopeProblems(table)
  return scopes.length > 0 ? { problems: scopes } : { table }
}

function scopeProblems(table: Table | CheckedTable): Problem[] {
  if (table.suite !== 'retry-cases') return []
  return table.cases.flatMap((row) => {
    const why = checkScope(row, table.policy)
    return why === null ? [] : [{ caseId: row.id, field: 'scope', says: why.replace(/^scope /, '') }]
  })
}

function refused(field: string, says: string): Read {
  return { problems: [{ caseId: null, field, says }] }
}

function sameField(one: Problem): (other: Problem) => boolean {
  return (other) => one.caseId === other.caseId && one.field === other.field
}
