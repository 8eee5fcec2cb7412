import type { CaseHead, TableHead } from './table.js'

/** Settings of a limiter in the tables' words: snake_case, times in integer milliseconds. */
export type LimitConfig = Readonly<Record<string, unknown>>

/** What happens to a limiter over time (L1–L21). The clock stands at 0 when it is made. */
export interface LimitScenario extends CaseHead {
  config?: LimitConfig
  /** A limiter has none: it has a config. */
  policy?: never
  /** The field of the config that is refused (R17): then there are no steps. */
  config_error?: string
  steps: readonly LimitStep[]
}

export interface LimitTable extends TableHead {
  suite: 'backoff-scenarios'
  /** The suite's defaults: every field but `prior`. */
  config: LimitConfig
  cases: readonly LimitScenario[]
}

/** Samples of one window. */
export interface WindowStep {
  latency_ms: number
  count: number
  slow?: { latency_ms: number; count: number }
  /** How many such windows. Default 1. */
  times?: number
}

/** Calls in flight: each is a sample where there is a latency (`timeout`: without an answer), and then they end. */
export interface FinishStep {
  count: number
  latency_ms?: number
  timeout?: boolean
}

/** One thing that happens, and what is then to be seen. Times are milliseconds. */
export interface LimitStep {
  /** Goes to the next boundary of windows, and then through whole windows. */
  window?: WindowStep
  /** A refusal, with the wait that was stated or null. */
  throttle?: { retry_after_ms: number | null }
  /** Attempts that end now; `timeout`: without an answer. */
  sample?: { latency_ms: number; count?: number; timeout?: boolean }
  /** Attempts that fail now in another way. */
  failure?: number
  reset_baseline?: true
  /** Calls ask for a slot; `cap_ms`: how long each may be held. */
  arrive?: number | { count: number; cap_ms: number }
  /** The oldest in flight end. */
  finish?: number | FinishStep
  /** Of those that have ended, the oldest ask again: retries. */
  retry?: number
  /** The oldest that wait are aborted. */
  abort?: number
  advance_ms?: number
  /**
   * The process ends, and another one makes a limiter `after_ms` later, with what this one saved (L17): times begin at 0
   * again, and nobody is in flight. `backend_id`: the other one's backend.
   */
  restart?: { after_ms: number; backend_id?: string }
  expect?: LimitExpectation
}

/** A number must be that number, exactly or (figures of latency) within a millionth; a range is inclusive; null is null. */
export type Figure = number | { min: number; max: number } | null

export interface LimitExpectation {
  limit?: number
  throttle_ceiling?: number
  latency_ceiling?: number
  in_flight?: number
  queued?: number
  /** Calls that this step started. */
  started?: number
  /** Calls that this step refused, and for what. */
  rejected?: number
  refused?: Readonly<Partial<Record<Refusal, number>>>
  /** What the last that was refused as held was told. */
  retry_after_ms?: number | null
  held?: boolean
  hold_until_ms?: number | null
  trust?: 'unknown' | 'provisional' | 'trusted'
  p90_ms?: Figure
  smoothed_ms?: Figure
  baseline_ms?: Figure
  ratio?: Figure
  /** Whether calls are shed. */
  shedding?: boolean
  /** Null: there is no overdraft. */
  overdraft_left_ms?: number | null
  /** In order; needs the feature `events`. */
  events?: readonly string[]
}

/** Why a call got no slot. */
export type Refusal = 'queue_full' | 'queue_timeout' | 'held'

/** What is to be seen after one step. */
export interface LimitReading {
  limit: number
  throttle_ceiling: number
  latency_ceiling: number
  in_flight: number
  queued: number
  held: boolean
  /** Since the limiter was made; null: no hold is on. */
  hold_until_ms: number | null
  trust: string
  p90_ms: number | null
  smoothed_ms: number | null
  baseline_ms: number | null
  ratio: number | null
  shedding?: boolean
  overdraft_left_ms?: number | null
}

/** A reading, and what the step did. */
export interface LimitStepActual extends LimitReading {
  started: number
  rejected: number
  refused: Partial<Record<Refusal, number>>
  retry_after_ms: number | null
  events?: readonly string[]
}
