import { NotKeptError } from '../../state/not-kept-error.js'
import { SchemaConflictError } from '../schema-conflict-error.js'
import type { TableDefinition } from '../store-node.js'
import { literal } from './literal.js'
import { quoted, type TableName, tableOf } from './table-name.js'
import { BLOCK_COLUMN, checkTable, createTableSql, partitionKey, typeOf } from './table-sql.js'

/** Runs a statement of ours and gives its rows, none where it has none. */
export type RunSql = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** How tables are made on one node. */
export interface TableEngine {
  /** `MergeTree`, or a replicated one of this table. */
  readonly engine: string
  /** `name = value`. */
  readonly settings: readonly string[]
}

/**
 * Makes the table of a data source, or adds what it lacks.
 * @throws SchemaConflictError, TypeError; NotKeptError where the node says that it has made it, and has not; what `run`
 *   rejects with
 */
export async function defineTable(
  run: RunSql,
  table: TableDefinition,
  { engine, settings }: TableEngine,
): Promise<void> {
  checkTable(table)
  const name = tableOf(table.source)
  const found = await columnsOf(run, table)
  if (found.size === 0) {
    await run(`CREATE DATABASE IF NOT EXISTS \`${name.database}\``)
    await run(createTableSql(table, engine, settings))
    await takeBackIfEmpty(run, name)
  }
  await checkKeys(run, table)
  const wanted = new Map([[BLOCK_COLUMN, 'String'], ...table.columns.map((it) => [it.name, typeOf(it)] as const)])
  // Read again where it was just made: another process, or a replica, may have been first, with other columns.
  const there = found.size === 0 ? await columnsOf(run, table) : found
  const missing = missingOf(table, there, wanted)
  if (missing.length === 0) return
  try {
    await run(`ALTER TABLE ${quoted(name)} ${missing.map((it) => `ADD COLUMN \`${it}\` ${wanted.get(it)}`).join(', ')}`)
  } catch (error) {
    // Who adds the same columns at the same time is not in the way.
    if (missingOf(table, await columnsOf(run, table), wanted).length > 0) throw error
  }
}

/** On a full disk a node may answer as if all were well, and have nothing to open its table with when it starts again. */
async function takeBackIfEmpty(run: RunSql, name: TableName): Promise<void> {
  const where = `database = ${literal(name.database)} AND name = ${literal(name.table)}`
  const [made] = await run(`SELECT create_table_query AS sql FROM system.tables WHERE ${where}`)
  if (made?.sql !== '') return
  await run(`DROP TABLE ${quoted(name)} SYNC`)
  throw new NotKeptError(`The definition of ${quoted(name)}`, 'the node left it empty, as on a full disk')
}

function missingOf({ source }: TableDefinition, there: Columns, wanted: Columns): string[] {
  for (const [column, type] of wanted) {
    const is = there.get(column)
    if (is !== undefined && is !== type) throw new SchemaConflictError(source, column, is, type)
  }
  return [...wanted.keys()].filter((column) => !there.has(column))
}

type Columns = ReadonlyMap<string, string>

async function columnsOf(run: RunSql, { source }: TableDefinition): Promise<Columns> {
  const { database, table } = tableOf(source)
  const where = `database = ${literal(database)} AND table = ${literal(table)}`
  const rows = await run(`SELECT name, type FROM system.columns WHERE ${where}`)
  return new Map(rows.map(({ name, type }) => [String(name), String(type)]))
}

/** Blocks are of one partition, as it was defined: rows in another one would not be found. */
async function checkKeys(run: RunSql, { source, partition, orderBy }: TableDefinition): Promise<void> {
  const { database, table } = tableOf(source)
  const where = `database = ${literal(database)} AND name = ${literal(table)}`
  const [keys] = await run(`SELECT partition_key, sorting_key FROM system.tables WHERE ${where}`)
  const differs = (field: string, is: unknown, wanted: string) => {
    const plain = (key: string) => key.replace(/[`\s]/g, '').replace(/^\((.*)\)$/, '$1')
    if (plain(String(is)) !== plain(wanted))
      throw new SchemaConflictError(source, field, String(is) || 'none', wanted || 'none')
  }
  differs('partition', keys?.partition_key ?? '', partitionKey(partition))
  differs('order_by', keys?.sorting_key ?? '', orderBy.join(', '))
}
