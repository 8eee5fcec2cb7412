/** What the gateway says to the child process that hosts the engine. */
export type ToChild =
  | {
      readonly type: 'open'
      /** The engine's data directory. */
      readonly path: string
      /** Remove `path` when the gateway is gone without a goodbye. */
      readonly removePath: boolean
      /** Queries that run side by side. */
      readonly sessions: number
      /** Queries that may wait for a session. */
      readonly maxWaiting: number
    }
  | {
      readonly type: 'seed'
      readonly id: string
      readonly table: string
      readonly createSql: string
      readonly ndjson: string
    }
  | {
      readonly type: 'query'
      readonly id: string
      readonly sql: string
      readonly params: Readonly<Record<string, string>>
    }
  | { readonly type: 'ping'; readonly id: string }
  | { readonly type: 'cancel'; readonly id: string }
  | { readonly type: 'close' }

/** What a query gave. */
export interface ChildAnswer {
  readonly body: string
  readonly rows: number
  readonly elapsedMs: number
  readonly nodeElapsedMs: number
}

/** What the child says back. Every `seed`, `query` and `ping` is met by one `done`, `answer` or `failure` of its id. */
export type FromChild =
  | { readonly type: 'ready'; readonly version: string }
  | { readonly type: 'unusable'; readonly code: 'ENGINE_MISSING' | 'ENGINE_FAILED'; readonly message: string }
  | { readonly type: 'done'; readonly id: string }
  | { readonly type: 'answer'; readonly id: string; readonly answer: ChildAnswer }
  | { readonly type: 'failure'; readonly id: string; readonly clickhouseCode?: number; readonly message: string }
