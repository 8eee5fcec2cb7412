import type { TableColumn, TableDefinition, TablePartition } from '../store-node.js'
import { quoted, tableOf } from './table-name.js'

/** By which the rows of a block are found. No column of a data source can be called so: those begin with a letter. */
export const BLOCK_COLUMN = '_block'

const TYPES = /^(String|Date|DateTime|Float(32|64)|U?Int(8|16|32|64))$/
const PARTITION_BY = { day: 'toYYYYMMDD', month: 'toYYYYMM', year: 'toYear' } as const

/** What the server calls a column's type. DateTime has its zone with it: else the server's own would decide on partitions. */
export function typeOf({ type, nullable = false }: TableColumn): string {
  const own = type === 'DateTime' ? "DateTime('UTC')" : type
  return nullable ? `Nullable(${own})` : own
}

/** `''`: the table has one partition. */
export function partitionKey(partition: TablePartition | undefined): string {
  return partition ? `${PARTITION_BY[partition.by]}(${partition.column})` : ''
}

/** @param engine `MergeTree`, or what else there is to write, of the gateway's own configuration */
export function createTableSql(table: TableDefinition, engine: string, settings: readonly string[]): string {
  const { columns, partition, orderBy, source } = table
  const all = [`\`${BLOCK_COLUMN}\` String`, ...columns.map((it) => `\`${it.name}\` ${typeOf(it)}`)]
  const parts = [`CREATE TABLE IF NOT EXISTS ${quoted(tableOf(source))} (${all.join(', ')}) ENGINE = ${engine}`]
  if (partition) parts.push(`PARTITION BY ${partitionKey(partition)}`)
  parts.push(`ORDER BY (${orderBy.join(', ')})`)
  if (settings.length > 0) parts.push(`SETTINGS ${settings.join(', ')}`)
  return parts.join(' ')
}

/** @throws TypeError for a definition that no table can have: its names and types become SQL, so they are checked here too */
export function checkTable({ source, columns, partition, orderBy }: TableDefinition): void {
  const byName = new Map<string, TableColumn>()
  tableOf(source)
  for (const column of columns) {
    const { name, type } = column
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) refuse(source, `column "${name}" must be a-z, 0-9 and _, of 64 at most`)
    if (!TYPES.test(type)) refuse(source, `column ${name} has the type "${type}", which is not one of the API's`)
    if (byName.has(name)) refuse(source, `column ${name} is there twice`)
    byName.set(name, column)
  }
  const sorting = orderBy.map((name) => byName.get(name))
  if (sorting.length === 0) refuse(source, 'order_by is empty; name a column')
  if (sorting.some((column) => !column || column.nullable))
    refuse(source, `order_by is ${orderBy.join(', ')}; it must name columns that are not nullable`)
  if (!partition) return
  const column = byName.get(partition.column)
  if (!column || column.nullable || !/^Date(Time)?$/.test(column.type))
    refuse(source, `partition.column is "${partition.column}"; it must be a Date or DateTime that is not nullable`)
  if (!Object.hasOwn(PARTITION_BY, partition.by))
    refuse(source, `partition.by is "${partition.by}"; day, month or year`)
}

function refuse(source: string, what: string): never {
  throw new TypeError(`${source}: ${what}`)
}
