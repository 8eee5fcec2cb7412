import type { ReplayClock } from './clock.js'
import type { LimitSubject } from './limit-subject.js'
import type { MachineSubject } from './machine-subject.js'
import type { Shared, SharedSubject } from './shared-subject.js'

/** What an implementation gives to be replayed. */
export interface Subject {
  /** Makes ONE call through the package's public entry, with the given fetch, clock, draws and signal. */
  call(call: Call): Promise<Ended>
  /** The pure decision, for rows of scope `decision`. Absent: such rows are counted as skipped. */
  decide?(row: DecisionRow): DecisionActual | Promise<DecisionActual>
  /**
   * Makes a limiter on this clock, whose time is 0. Absent: rows of backoff-scenarios are counted as skipped.
   * @param saved what a limiter before it left at a restart; undefined: there was none
   * @returns what can be done to it, or the field of the config that was refused
   */
  limit?(config: Record<string, unknown>, clock: ReplayClock, saved?: unknown): LimitSubject | { config_error: string }
  /**
   * Makes what calls share, a limiter above all, on this clock, whose time is 0. Absent: scenarios of several calls are
   * counted as skipped.
   * @returns how calls are made through it, or the field of the limiter's config that was refused
   */
  share?(shared: Shared, clock: ReplayClock): SharedSubject | { config_error: string }
  /**
   * Makes a state machine of ingest-scenarios on this clock, whose time is 0, the wall clock's too. Absent: rows of that
   * suite are counted as skipped.
   * @param saved what a machine before it left at a restart; undefined: there was none
   * @returns what can be done to it, or the field of the config that was refused
   */
  machine?(
    name: string,
    config: Record<string, unknown>,
    clock: ReplayClock,
    saved: unknown,
  ): MachineSubject | { config_error: string }
  /** What it can do of a row's `needs`; absent: everything. Rows that need more are counted as skipped. */
  features?: readonly string[]
  /** The bodies it can send; absent: all. Rows that send another are counted as skipped. */
  bodies?: readonly BodyKind[]
  /**
   * `call` itself reads the answer that surfaces, or lets go of it, as a command does that prints it. A row's
   * `body_released` then counts the other answers. Default false: that answer is left to the caller, unread.
   */
  consumesAnswer?: boolean
}

/** `none`: no body; `replayable`: one that can be sent again (a string, say); `stream`: one that can be read once (R13). */
export type BodyKind = 'none' | 'replayable' | 'stream'

/** One call to make, all of it handed in. */
export interface Call {
  /** The merged policy in the tables' words; a `preset` among them is applied first. */
  policy: Record<string, unknown>
  request: { method: string; url: string; headers: Record<string, string>; body: BodyKind; idempotent: boolean }
  fetch: typeof fetch
  clock: ReplayClock
  /** The next draw, in [0, 1). */
  random: () => number
  /** The caller's signal. `outcome` is `aborted` only where the call rejected with this signal's reason itself (R11). */
  signal: AbortSignal
}

/**
 * How the call ended, in neutral words. `policy_error` where the policy was refused (R17): the field's name.
 * Sends, waits, the time of the end and released bodies are not here: the runner measures them itself.
 */
export type Ended =
  | {
      outcome: 'ok' | 'gave_up' | 'aborted'
      /** The last HTTP status received in this call, else null. */
      status: number | null
      /** Where the end was no answer: `connect`, `network`, `timeout`, `deadline`, `queue_full`, `queue_timeout`, `held`. */
      failure: string | null
      reason: string | null
      retry_after_ms: number | null
      attempts: number
      waited_ms: number
    }
  | { policy_error: string }

/** The input of one decision, every default filled in. Times are milliseconds. */
export interface DecisionRow {
  policy: Record<string, unknown>
  /** `status:<code>`, `connect`, `timeout` or `network:<CODE>`. */
  failure: string
  method: string
  /** The response's headers in lower case, `retry-after` among them. */
  headers: Record<string, string>
  request_headers: Record<string, string>
  idempotent: boolean
  body: BodyKind
  /** Attempts already made: 1 when the first has just failed. */
  attempt: number
  waited_ms: number
  throttle_waited_ms: number
  elapsed_ms: number
  transient_failures: number
  /** Tokens left in the shared retry budget (R16); null: no budget. */
  retry_tokens: number | null
  /** Whether an earlier attempt of this call failed transiently (R2's 409). */
  failed_transiently: boolean
  response_body: string | null
  /** Epoch milliseconds. */
  now: number
  /** The draw, in [0, 1). */
  random: number
}

/** What was decided. `policy_error` where the policy was refused (R17): the field's name. */
export type DecisionActual =
  | {
      retry: boolean
      wait_ms?: number
      fail_fast?: boolean
      reason?: string | null
      retry_after_ms?: number | null
    }
  | { policy_error: string }
