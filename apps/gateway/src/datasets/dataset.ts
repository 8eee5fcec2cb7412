/** A table that is filled whenever an embedded engine starts. */
export interface Dataset {
  /** The table's name: letters, digits, `_`. Whatever it held before is replaced. */
  readonly table: string
  /** `CREATE TABLE …` of that name. */
  readonly createSql: string
  /** The rows, one JSON object a line (NDJSON, ClickHouse's JSONEachRow). */
  readonly load: () => Promise<string>
}
