/** A table is there, and is another one than was defined: what is in it would not fit. Nothing was changed. */
export class SchemaConflictError extends Error {
  override readonly name = 'SchemaConflictError'
  readonly code = 'SCHEMA_CONFLICT'

  constructor(
    /** `tenant/dataset/name`. */
    readonly source: string,
    /** What differs: a column's name, `partition` or `order_by`. */
    readonly field: string,
    readonly is: string,
    readonly wanted: string,
  ) {
    super(`${source}: ${field} is ${is}, not ${wanted}; columns can be added, and nothing else can change`)
  }
}
