import type { RetryPolicyOptions } from '@sluice/core'
import type { Load } from '../clients/load.js'
import type { WorkClass } from '../clients/mix.js'
import type { TenantOptions } from '../clients/tenants.js'
import type { Statistics } from '../metrics/statistics.js'
import type { BatchOptions } from '../servers/batch.js'
import type { ThrottleOptions } from '../servers/throttle.js'

/** What goes wrong, or right again. */
export type Strike =
  | { readonly kind: 'cores'; readonly cores: number }
  /** A brownout: everything is done at this part of its speed. */
  | { readonly kind: 'speed'; readonly factor: number }
  /** Everything is so much more work than at first: a cold cache. */
  | { readonly kind: 'work'; readonly factor: number }
  /** Everything is so much more work than it was: data that grow. */
  | { readonly kind: 'grow'; readonly factor: number }
  /** Our calls are of the classes of work in these shares from now on. */
  | { readonly kind: 'mix'; readonly shares: readonly number[] }
  | { readonly kind: 'crash' }
  | { readonly kind: 'restart' }
  | { readonly kind: 'batch'; readonly on: boolean }
  | { readonly kind: 'wall_clock'; readonly stepMs: number }
  /** Our processes stand still for so long. */
  | { readonly kind: 'suspend'; readonly forS: number }

/** At a moment, or again and again: each `everyS` from then on, until before `untilS` (default: the end). */
export type Fault = Strike & { readonly atS: number; readonly everyS?: number; readonly untilS?: number }

/** A span of time that statistics are of. */
export interface Phase {
  readonly fromS: number
  readonly toS: number
}

/** A bound for one statistic of one phase. */
export interface Target {
  readonly phase: string
  readonly statistic: keyof Statistics
  readonly min?: number
  readonly max?: number
}

/** A world and what happens in it. */
export interface Scenario {
  readonly id: string
  /** In the order of the documentation. */
  readonly number: number
  readonly title: string
  /** What it shows, and what a good controller does. */
  readonly why: string
  /** It takes minutes to play: for a command of its own. Default false. */
  readonly soak?: boolean
  /** Its targets are looked at, and nobody has to meet them. Default false. */
  readonly reportOnly?: boolean
  readonly durationS: number
  readonly server: {
    readonly discipline: 'processor_sharing' | 'fifo'
    readonly cores: number
    readonly queue: number | null
    readonly throttle: ThrottleOptions | null
    readonly networkMs: number
  }
  readonly work: readonly WorkClass[]
  readonly load: Load
  /** Whose calls they are. Default null: all of one tenant. */
  readonly tenants?: TenantOptions | null
  /** Somebody else who calls the same server, and is not limited by us. Default null: nobody. */
  readonly neighbour?: { readonly load: Load; readonly work: readonly WorkClass[] } | null
  readonly batch: BatchOptions | null
  readonly faults: readonly Fault[]
  readonly client: {
    readonly maxConcurrent: number
    readonly maxQueue: number
    readonly queueTimeoutMs: number
    /** How failures are retried; null: one attempt, and it waits as long as it takes. */
    readonly policy: RetryPolicyOptions | null
    /** Retries of transient failures are paid from a budget that all calls of a process share (R16). */
    readonly retryBudget: boolean
    /** What the limiter knows from before. */
    readonly prior: { readonly p90Ms: number; readonly windows: number } | null
    /** Processes that the calls are spread over, each with a limiter of its own. Default 1. */
    readonly processes?: number
    /** When the processes with the controller begin; until then others with a plain limit make the calls. Default 0. */
    readonly startsAtS?: number
  }
  readonly phases: Readonly<Record<string, Phase>>
  /** What a good controller reaches. */
  readonly targets: readonly Target[]
}
