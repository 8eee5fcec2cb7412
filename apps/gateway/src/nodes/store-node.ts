import type { IngestNode } from '@sluice/ingest'
import type { QueryNode } from './node.js'

/** The types of columns, as ClickHouse names them. DateTime is in UTC, whatever the server's zone. */
export type ColumnType =
  | ('String' | 'Date' | 'DateTime' | 'Float32' | 'Float64')
  | ('Int8' | 'Int16' | 'Int32' | 'Int64' | 'UInt8' | 'UInt16' | 'UInt32' | 'UInt64')

/** One column of a data source. */
export interface TableColumn {
  readonly name: string
  readonly type: ColumnType
  /** Default false: a row without it gets the type's zero. */
  readonly nullable?: boolean
}

/** How rows are parted on disk: by a column of type Date or DateTime that is not nullable. */
export interface TablePartition {
  readonly column: string
  readonly by: 'day' | 'month' | 'year'
}

/** The table of a data source, without `_block`, which nodes add. */
export interface TableDefinition {
  /** `tenant/dataset/name`. */
  readonly source: string
  readonly columns: readonly TableColumn[]
  /** Without it the table has one partition. */
  readonly partition?: TablePartition
  /** Columns by which rows are sorted; at least one, none of them nullable. */
  readonly orderBy: readonly string[]
}

/**
 * A node that queries run on and blocks are written to. A block's `partition` is what the engine calls it: `20261130` by
 * day, `202611` by month, `2026` by year, and `all` of a table without partitions.
 */
export interface StoreNode extends QueryNode, IngestNode {
  /** Begins. An embedded engine runs when it fulfils; a server that does not answer is asked again. @throws EngineStartError */
  start(): Promise<void>
  /**
   * Makes the table of a data source, or adds the columns that it lacks. Changes nothing where it fits; columns that it has
   * beyond the definition stay.
   * @throws SchemaConflictError where a column's type, the partition or the order is another one; TypeError for a
   *   definition that no table can have
   */
  define(table: TableDefinition, signal: AbortSignal): Promise<void>
}
