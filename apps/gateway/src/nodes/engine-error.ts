/** Codes of an engine that has run out of something: too many simultaneous queries, memory, too many parts. */
const OUT_OF_RESOURCES: ReadonlySet<number> = new Set([202, 241, 252])

/** The engine refused or failed a query. Its message may hold SQL: for logs, never for callers. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly code = 'ENGINE_ERROR'

  constructor(
    message: string,
    /** ClickHouse's own number, where it gave one: 62 is syntax, 241 is memory. */
    readonly clickhouseCode: number | undefined,
    /** Names the query in logs. */
    readonly queryId: string,
    /** Whose engine it is. */
    readonly node?: string,
  ) {
    super(message)
  }

  /** True when waiting may help: the engine is short of something that other queries will give back. */
  get outOfResources(): boolean {
    return this.clickhouseCode !== undefined && OUT_OF_RESOURCES.has(this.clickhouseCode)
  }
}
