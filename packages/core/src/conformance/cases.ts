import type { Clock } from '../clock/clock.js'
import type { TablePolicy } from './policy-from-table.js'

/** One call of a table, everything handed in. */
export interface SubjectCall {
  policy: TablePolicy
  request: {
    method: string
    url: string
    headers: Record<string, string>
    body: 'none' | 'replayable' | 'stream'
    idempotent: boolean
  }
  fetch: typeof fetch
  clock: Clock
  random: () => number
  signal: AbortSignal
}

/** How it ended, in the tables' words. */
export type SubjectEnd =
  | {
      outcome: 'ok' | 'gave_up' | 'aborted'
      status: number | null
      failure: string | null
      reason: string | null
      retry_after_ms: number | null
      attempts: number
      waited_ms: number
    }
  | { policy_error: string }

/** How one of several calls ended. `read` reads the body of the answer that surfaced to its end; absent: there is none. */
export type SharedEnd = SubjectEnd & { read?(): Promise<unknown> }

/** What the calls of a table share. */
export interface SubjectShared {
  limiter: TablePolicy
  retry_budget: boolean
}

/** Calls through one limiter. */
export interface SubjectSharing {
  call(call: SubjectCall): Promise<SharedEnd>
  read(): LimitReading
}

/** One decision of a table. */
export interface SubjectDecision {
  policy: TablePolicy
  failure: string
  method: string
  headers: Record<string, string>
  request_headers: Record<string, string>
  idempotent: boolean
  body: 'none' | 'replayable' | 'stream'
  attempt: number
  waited_ms: number
  throttle_waited_ms: number
  elapsed_ms: number
  transient_failures: number
  retry_tokens: number | null
  failed_transiently: boolean
  response_body: string | null
  now: number
  random: number
}

/** What was decided. */
export type SubjectDecisionEnd =
  | { retry: boolean; wait_ms?: number; fail_fast?: boolean; reason?: string | null; retry_after_ms?: number | null }
  | { policy_error: string }

/** A slot that a call of a table was given. */
export interface SubjectSlot {
  /** Its attempt succeeded after so long, or timed out; it is in flight still. */
  sample(latencyMs: number, timeout: boolean): void
  release(): void
}

/** What became of a call that asked for a slot. */
export type SubjectArrival =
  | { slot: SubjectSlot }
  | { refused: 'queue_full' | 'queue_timeout' | 'held'; retry_after_ms: number | null }
  | { refused: 'aborted' | 'disposed' }

/** A limiter's snapshot in the tables' words. */
export interface LimitReading {
  limit: number
  throttle_ceiling: number
  latency_ceiling: number
  in_flight: number
  queued: number
  held: boolean
  hold_until_ms: number | null
  trust: string
  p90_ms: number | null
  smoothed_ms: number | null
  baseline_ms: number | null
  ratio: number | null
  shedding: boolean
  overdraft_left_ms: number | null
}

/** A limiter of a table. */
export interface SubjectLimit {
  arrive(call: { cap_ms: number | null; signal: AbortSignal; retry_of: SubjectSlot | null }): Promise<SubjectArrival>
  sample(latencyMs: number, timeout: boolean): void
  throttle(retryAfterMs: number | null): void
  failure(): void
  resetBaseline(): void
  read(): LimitReading
  events(): readonly string[]
  save(): unknown
  dispose(): void
}

/** An implementation, as the tables' runner wants it: case in, actual out. */
export interface Subject {
  call(call: SubjectCall): Promise<SubjectEnd>
  decide(row: SubjectDecision): Promise<SubjectDecisionEnd>
  limit(config: TablePolicy, clock: Clock, saved?: unknown): SubjectLimit | { config_error: string }
  share(shared: SubjectShared, clock: Clock): SubjectSharing | { config_error: string }
}
