import type { Place, TenantRole } from './tenant-role.js'

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
      /** Blocks that are written side by side. */
      readonly writeSessions: number
      /** Queries that may wait for a session, and blocks likewise. */
      readonly maxWaiting: number
      /** Of those for whom queries may run. */
      readonly roles: readonly TenantRole[]
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
      /** Default: the gateway's own tables, as itself. */
      readonly place?: Place
    }
  /** A statement of the gateway's own. */
  | { readonly type: 'run'; readonly id: string; readonly sql: string }
  | {
      readonly type: 'insert'
      readonly id: string
      /** The block's id. */
      readonly block: string
      /** `database.table`. */
      readonly table: string
      readonly count: number
      /** Its rows. */
      readonly pieces: readonly Uint8Array[]
    }
  /** Ends what still writes this block. */
  | { readonly type: 'settle'; readonly id: string; readonly block: string }
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

/** A row of an answer, by its columns; 64-bit integers are text. */
export type Row = Readonly<Record<string, unknown>>

/** What the child says back. All with an id but `cancel` is met by one `done`, `answer`, `rows` or `failure` of that id. */
export type FromChild =
  | { readonly type: 'ready'; readonly version: string }
  | { readonly type: 'unusable'; readonly code: 'ENGINE_MISSING' | 'ENGINE_FAILED'; readonly message: string }
  | { readonly type: 'done'; readonly id: string }
  | { readonly type: 'answer'; readonly id: string; readonly answer: ChildAnswer }
  | { readonly type: 'rows'; readonly id: string; readonly rows: readonly Row[] }
  | { readonly type: 'failure'; readonly id: string; readonly clickhouseCode?: number; readonly message: string }
