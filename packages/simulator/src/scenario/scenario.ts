import type { RetryPolicyOptions } from '@sluice/core'
import type { OpenLoad } from '../clients/arrivals.js'
import type { Statistics } from '../metrics/statistics.js'
import type { BatchOptions } from '../servers/batch.js'
import type { ThrottleOptions } from '../servers/throttle.js'

/** One kind of call. */
export interface WorkClass {
  readonly name: string
  /** Of the calls; all shares together are 1. */
  readonly share: number
  /** Mean of its work, in core-ms. */
  readonly meanMs: number
  /** Standard deviation of its logarithm; 0: all the same. */
  readonly sigma: number
}

/** Something that goes wrong, or right again, at a moment. */
export type Fault =
  | { readonly atS: number; readonly kind: 'cores'; readonly cores: number }
  /** A brownout: everything is done at this part of its speed. */
  | { readonly atS: number; readonly kind: 'speed'; readonly factor: number }
  /** Everything is so much more work: a cold cache, grown data. */
  | { readonly atS: number; readonly kind: 'work'; readonly factor: number }
  | { readonly atS: number; readonly kind: 'crash' }
  | { readonly atS: number; readonly kind: 'restart' }
  | { readonly atS: number; readonly kind: 'batch'; readonly on: boolean }
  | { readonly atS: number; readonly kind: 'wall_clock'; readonly stepMs: number }

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
  readonly durationS: number
  readonly server: {
    readonly discipline: 'processor_sharing' | 'fifo'
    readonly cores: number
    readonly queue: number | null
    readonly throttle: ThrottleOptions | null
    readonly networkMs: number
  }
  readonly work: readonly WorkClass[]
  readonly load: OpenLoad
  readonly batch: BatchOptions | null
  readonly faults: readonly Fault[]
  readonly client: {
    readonly maxConcurrent: number
    readonly maxQueue: number
    readonly queueTimeoutMs: number
    /** How failures are retried; null: one attempt, and it waits as long as it takes. */
    readonly policy: RetryPolicyOptions | null
    /** Retries of transient failures are paid from a budget that all calls share (R16). */
    readonly retryBudget: boolean
    /** What the limiter knows from before. */
    readonly prior: { readonly p90Ms: number; readonly windows: number } | null
  }
  readonly phases: Readonly<Record<string, Phase>>
  /** What a good controller reaches. */
  readonly targets: readonly Target[]
}
