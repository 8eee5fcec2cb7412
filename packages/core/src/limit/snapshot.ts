import type { BaselineTrust } from './latency-monitor.js'

/** What a limiter knows at one moment (L15). Times are ms. */
export interface LimitSnapshot {
  /** Calls that may be in flight: the lowest ceiling. In shadow mode computed, and not enforced. */
  readonly limit: number
  readonly throttleCeiling: number
  readonly latencyCeiling: number
  readonly inFlight: number
  /** Calls that wait for a slot. */
  readonly queued: number
  /** p90 of the last window that counted; null: none did yet. */
  readonly p90Ms: number | null
  /** The same, smoothed over about a minute. */
  readonly smoothedMs: number | null
  /** What is ordinary; null: not known. */
  readonly baselineMs: number | null
  /** Smoothed over baseline; null: not known. */
  readonly ratio: number | null
  readonly baselineTrust: BaselineTrust
  /** Calls are shed: who would wait in vain for a slot is refused soon, and not after `queueTimeoutMs` (L20). */
  readonly shedding: boolean
  /**
   * For how much longer the backend is asked to bear more while callers wait long (L19); at 0 calls are shed. Null: the limit
   * has no overdraft, since it is `windowed` or latency does not control it.
   */
  readonly overdraftLeftMs: number | null
  /** The end of a hold that is on, on the limiter's monotonic clock; null: there is none. */
  readonly holdUntil: number | null
}

export type LimitEventType =
  /** A throttle halved the throttle ceiling. */
  | 'throttle_backoff'
  /** It is back at its maximum. */
  | 'throttle_recovery'
  /** The latency ceiling fell. */
  | 'latency_backoff'
  /** It is back at its maximum. */
  | 'latency_recovery'
  /** A call was refused: the queue is full, or it waited in it too long. */
  | 'queue_rejected'
  /** A hold began, or ends later than before. */
  | 'hold'
  /** A window has ended. Told only where it was asked for; the snapshot is that of the moment when it was noticed. */
  | 'status'

/** Something happened; with the snapshot of that moment. */
export interface LimitEvent extends LimitSnapshot {
  readonly type: LimitEventType
}
