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

/** An implementation, as the tables' runner wants it: case in, actual out. */
export interface Subject {
  call(call: SubjectCall): Promise<SubjectEnd>
  decide(row: SubjectDecision): Promise<SubjectDecisionEnd>
}
