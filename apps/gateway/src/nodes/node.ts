/** One read: SQL of ours with typed placeholders, and the values bound to them. */
export interface NodeQuery {
  /** Written by whoever runs the gateway, never by a caller: `SELECT … WHERE origin = {origin:String}`. */
  readonly sql: string
  /** A value for every placeholder, as text; the engine reads it as the placeholder's type. */
  readonly params: Readonly<Record<string, string>>
  /** After this many milliseconds the query is killed. */
  readonly timeoutMs: number
  /** Aborted when nobody waits for the answer any more: the query is killed. */
  readonly signal?: AbortSignal
}

/** What came back. */
export interface NodeAnswer {
  /** ClickHouse's JSON form: `{meta, data, rows, statistics: {elapsed, rows_read, bytes_read, node_elapsed}}`. */
  readonly body: string
  readonly rows: number
  /** What the engine says it took. It leaves out the wait for a free session. */
  readonly elapsedMs: number
  /** From receipt to answer as the node saw it, that wait included. */
  readonly nodeElapsedMs: number
}

/**
 * Somewhere queries run. The gateway knows nothing else of it, so an engine inside a child process and a server far
 * away are the same to it.
 */
export interface QueryNode {
  /**
   * Runs one read. Rejects with `QueryTimeoutError`, `NodeUnavailableError`, `EngineError`, or with the signal's
   * reason.
   */
  query(query: NodeQuery): Promise<NodeAnswer>
  /** Resolves when the engine answers a trivial question within `timeoutMs`; rejects otherwise. */
  ping(timeoutMs: number): Promise<void>
  /** Ends it and removes what it made. Queries still running are killed. */
  close(): Promise<void>
}
