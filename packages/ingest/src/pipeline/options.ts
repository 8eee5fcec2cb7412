import type { Clock } from '@sluice/core'
import type { BoundsOptions, SourceBounds } from '../bounds/bounds.js'
import type { KeyedBreakerOptions } from '../breaker/options.js'
import type { TemporalLimitOptions } from '../limit/temporal-limit.js'
import type { RouterOptions } from '../route/options.js'
import type { Fields } from '../settings.js'
import type { DurableSpool } from './durable-spool.js'
import type { IngestNode } from './ingest-node.js'
import type { SavedGuard } from './source-guard.js'

/** A row that does not fit, and why. */
export interface BadRow {
  readonly row: string
  readonly reason: string
}

/** What an {@link IngestPipeline} can be told. Times are milliseconds. */
export interface PipelineOptions {
  /** Where events are kept until they are written. The pipeline closes it. */
  spool: DurableSpool
  /** At least one, each with a name of its own. */
  nodes: readonly IngestNode[]
  /** How long events of a data source are gathered (I1); a function is asked for each. Default 1000. */
  flushIntervalMs?: number | ((source: string) => number) | undefined
  /** Rows of one block, at most; so many of a data source are due at once (I1). Default 10 000. */
  maxRows?: number | undefined
  /** Bytes likewise. Default 8 388 608: 8 MiB. */
  maxBytes?: number | undefined
  /** Blocks that are under way to one node. Default 4. */
  maxPerNode?: number | undefined
  /** And of one data source, so that it never has all slots (I8). Default 2. */
  maxPerSource?: number | undefined
  /** After so long nobody knows what became of an insert. Default 30 000. */
  insertTimeoutMs?: number | undefined
  /** After so long a look-up is given up, and tried again. Default 10 000. */
  lookUpTimeoutMs?: number | undefined
  /** After so long a node did not answer a ping; it is asked once a second. Default 1000. */
  pingTimeoutMs?: number | undefined
  /** A block whose node cannot be reached for so long goes elsewhere (I4). Default 30 000. */
  rerouteAfterMs?: number | undefined
  /** Before a block that was not written is sent again; twice as long each time that its data source fails. Default 1000. */
  retryMs?: number | undefined
  /** And at most so long. Default 60 000. */
  maxRetryMs?: number | undefined
  /** How often a data source's parts are asked for. Default 10 000. */
  partsEveryMs?: number | undefined
  /** Bytes of rows in memory; what is more is read from the spool when it is its turn. One data source has a quarter. Default 67 108 864: 64 MiB. */
  maxMemoryBytes?: number | undefined
  /** Notices that are kept (I7). Default 1000. */
  maxNotices?: number | undefined
  /** False: no breaker, no turns and no share for each data source. For measurements alone. Default true. */
  isolation?: boolean | undefined
  /** Default: those of I2. */
  breaker?: Omit<KeyedBreakerOptions, 'flushIntervalMs' | 'random' | 'clock'> | undefined
  /** Default: those of I3. */
  limit?: Omit<TemporalLimitOptions, 'saturation' | 'clock'> | undefined
  /** Default: those of I5. */
  bounds?: BoundsOptions | undefined
  /** Asked for the bounds of each data source that has some of its own. Default: all have those of `bounds`. */
  sourceBounds?: ((source: string) => SourceBounds) | undefined
  /** Whose a data source is: what those of one tenant may have waiting is bounded (I5). Default: there are no tenants. */
  tenantOf?: ((source: string) => string) | undefined
  /** Default: those of I6. */
  router?: Omit<RouterOptions, 'nodes' | 'clock'> | undefined
  /** Keeps rows that do not fit (I5), before the others are acknowledged. Without it a batch with such rows is a TypeError. */
  quarantine?: ((source: string, bad: readonly BadRow[]) => Promise<void>) | undefined
  /** What another process's pipeline knew: `snapshot()`. */
  saved?: SavedPipeline | undefined
  /** Called before `start()` fulfils with the note of each batch that is in the spool; `atMs` (epoch) is when it came. */
  noted?: ((source: string, note: string, atMs: number) => void) | undefined
  /** What went wrong and will be tried again, for a log. */
  onError?: ((what: string, error: unknown) => void) | undefined
  /** Names for blocks, never the same twice, whatever process. Default: random UUIDs. */
  newId?: (() => string) | undefined
  /** Draws from [0, 1). Default `Math.random`. */
  random?: (() => number) | undefined
  /** Default: the system's. */
  clock?: Clock | undefined
}

/** What a pipeline knows beside what is in its spool; plain JSON. */
export interface SavedPipeline {
  readonly guard: SavedGuard
  readonly paused: readonly string[]
  readonly routes: readonly (readonly [source: string, node: string])[]
}

type Field =
  | ('maxRows' | 'maxBytes' | 'maxPerNode' | 'maxPerSource' | 'insertTimeoutMs' | 'lookUpTimeoutMs' | 'pingTimeoutMs')
  | ('rerouteAfterMs' | 'retryMs' | 'maxRetryMs' | 'partsEveryMs' | 'maxMemoryBytes' | 'maxNotices')

export const PIPELINE_FIELDS: Readonly<Record<Field, Fields[string]>> = {
  maxRows: [10_000, 'an integer of at least 1'],
  maxBytes: [8_388_608, 'a number of at least 1'],
  maxPerNode: [4, 'an integer of at least 1'],
  maxPerSource: [2, 'an integer of at least 1'],
  insertTimeoutMs: [30_000, 'a number above 0'],
  lookUpTimeoutMs: [10_000, 'a number above 0'],
  pingTimeoutMs: [1000, 'a number above 0'],
  rerouteAfterMs: [30_000, 'a number of at least 0'],
  retryMs: [1000, 'a number of at least 0'],
  maxRetryMs: [60_000, 'a number of at least 0'],
  partsEveryMs: [10_000, 'a number above 0'],
  maxMemoryBytes: [67_108_864, 'a number of at least 0'],
  maxNotices: [1000, 'an integer of at least 1'],
}

/** Complete and checked. */
export type PipelineSettings = Readonly<Record<Field, number>>
