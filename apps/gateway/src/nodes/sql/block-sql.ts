import { type ActiveParts, type Block, InsertError } from '@sluice/ingest'
import { EngineError } from '../engine-error.js'
import type { RunSql } from './define-table.js'
import { literal } from './literal.js'
import { quoted, type TableName, tableOf } from './table-name.js'
import { BLOCK_COLUMN } from './table-sql.js'

/** What tells a block among all. */
export type BlockKey = Pick<Block, 'id' | 'source' | 'partition'>

/** What the engine calls partitions; of a table without them it may be left empty. */
const PARTITION = /^(\d{4}|\d{6}|\d{8}|all|)$/
/** There is no such table, or no such database: nothing can be written there. */
export const NO_TABLE: ReadonlySet<unknown> = new Set([60, 81])

/** Whether rows of a block are in its table. An insert that is under way is not looked for. */
export async function isWritten(run: RunSql, { id, source, partition }: BlockKey): Promise<boolean> {
  if (!PARTITION.test(partition)) return false // it is never sent
  const where = `_partition_id = ${literal(partition || 'all')} AND ${BLOCK_COLUMN} = ${literal(id)}`
  try {
    const [row] = await run(`SELECT count() AS count FROM ${quoted(tableOf(source))} WHERE ${where}`)
    return Number(row?.count) > 0
  } catch (error) {
    if (error instanceof EngineError && NO_TABLE.has(error.clickhouseCode)) return false
    throw error
  }
}

/**
 * The table of a block that can be sent.
 * @throws InsertError for a partition that is not as the engine calls it: there it would be looked for in vain, and be
 *   written twice
 */
export function tableOfBlock({ source, partition }: BlockKey): TableName {
  if (PARTITION.test(partition)) return tableOf(source)
  const allowed = '20261130 by day, 202611 by month, 2026 by year, and all, or nothing, without'
  throw new InsertError('source', `${source}: partition "${partition}" must be as ${allowed}`)
}

/** The parts of a table, of the partition that has most, and from how many on its inserts are slowed down. */
export async function activeParts(run: RunSql, source: string): Promise<ActiveParts | null> {
  const { database, table } = tableOf(source)
  const [db, name] = [literal(database), literal(table)]
  const parts = `SELECT count() AS parts FROM system.parts WHERE active AND database = ${db} AND table = ${name} GROUP BY partition`
  const [row] = await run(
    `SELECT (SELECT max(parts) FROM (${parts})) AS active,
      (SELECT any(engine_full) FROM system.tables WHERE database = ${db} AND name = ${name}) AS engine,
      (SELECT any(value) FROM system.merge_tree_settings WHERE name = 'parts_to_delay_insert') AS everywhere`,
  )
  if (!row?.engine) return null
  const own = /\bparts_to_delay_insert = (\d+)/.exec(String(row.engine))?.[1]
  return { active: Number(row.active ?? 0), partsToDelayInsert: Number(own ?? row.everywhere) }
}
