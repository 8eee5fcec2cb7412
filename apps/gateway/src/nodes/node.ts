/** One read: SQL of ours with typed placeholders, and the values bound to them. */
export interface NodeQuery {
  /** Written by whoever runs the gateway, never by a caller: `SELECT … WHERE origin = {origin:String}`. */
  readonly sql: string
  /** A value for every placeholder, as text; the engine reads it as the placeholder's type. */
  readonly params: Readonly<Record<string, string>>
  /**
   * `tenant/dataset`: whose data sources the SQL may name without more, `FROM clicks`. Default none: tables that are the
   * node's own.
   */
  readonly namespace?: string
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

/** A read that was handed to a node. */
export interface RunningQuery {
  /**
   * Rejects with `QueryTimeoutError`, `NodeUnavailableError`, `EngineError`, or with the signal's reason: as soon as
   * nobody waits any more, even while the query is still being killed.
   */
  readonly answer: Promise<NodeAnswer>
  /** Resolves, and never rejects, when nothing of it runs any more. */
  readonly ended: Promise<void>
}

/** `up`: it answers. `starting`: it will soon. `down`: it cannot be reached, or refuses the gateway, and is tried again. */
export type NodeState = 'up' | 'starting' | 'down'

/** Why a node is not up. */
export interface NodeTrouble {
  /** `silent`: no answer comes, or no connection about. `refuses`: it answers, and does nothing for the gateway. */
  readonly kind: 'silent' | 'refuses'
  /** As it goes on after the node's name, for tenants too: `refuses the gateway (Code: 193)`. No addresses, users or SQL. */
  readonly words: string
}

/**
 * Somewhere queries run. The gateway knows nothing else of it, so an engine inside a child process and a server far
 * away are the same to it.
 */
export interface QueryNode {
  /** By which status and log name it. */
  readonly name: string
  readonly state: NodeState
  /** Undefined: it is up, or does not answer, and nothing more is known. */
  readonly trouble?: NodeTrouble | undefined
  /** Runs one read. */
  query(query: NodeQuery): RunningQuery
  /** Resolves when the engine answers a trivial question; rejects when it cannot, or with the signal's reason. */
  ping(signal: AbortSignal): Promise<void>
  /** Ends it and removes what it made. Queries still running are killed. */
  close(): Promise<void>
}
