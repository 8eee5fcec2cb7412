import type { Clock } from '../clock/clock.js'
import type { Failure, FailureClass } from './failure.js'
import type { Limiter } from './limiter.js'
import type { Outcome } from './outcome.js'
import type { RetryPolicy } from './policy.js'
import type { RetryBudget } from './retry-budget.js'

/** A retry is about to be waited for. */
export interface RetryEvent {
  /** The attempt to come: 2 for the first retry. */
  readonly attempt: number
  readonly waitMs: number
  /** The wait the server stated, or null. */
  readonly retryAfterMs: number | null
  readonly class: FailureClass
  readonly failure: Failure
}

/** A call ended without success. */
export interface GiveUpEvent extends Outcome {
  /** The last failure; null where the call was aborted before any. */
  readonly failure: Failure | null
  /** What kind of trouble that was; null where there was none. */
  readonly class: FailureClass | null
}

/** Takes what is worth a line; `console` fits. */
export interface Logger {
  /** A throttle-budget wait stalls the caller for whole seconds: one line each (R15). */
  warn(message: string): void
  /** One line a retry. */
  debug?(message: string): void
}

/** How `execute()` runs an operation, beside the policy. Everything is optional. */
export interface ExecuteOptions<T> {
  /** Default: the `interactive` preset. */
  policy?: RetryPolicy | undefined
  /** The HTTP method: tells whether repeating is safe (R2). */
  method?: string | undefined
  /** Repeating does no harm, whatever the method says (R2). Default false. */
  idempotent?: boolean | undefined
  /**
   * Whether the request carries an `Idempotency-Key`, asked after a failure: repeating is then safe, and a 409 may mean
   * "still in progress" (R2). Default: it does not.
   */
  keyed?: () => boolean
  /** Whether the body can be sent again, asked after each failure (R13). Default: it can. */
  replayable?: (() => boolean) | undefined
  /** Aborting it rejects the call with its reason, at once and wherever the call is (R11). */
  signal?: AbortSignal | null | undefined
  /** Shared by many calls (R16). Default: none. */
  retryBudget?: RetryBudget | undefined
  /**
   * Lends each attempt its slot, from send to the end of the operation, and is told how it ended (L12). Must run on the
   * same clock as the call. Default: none, and then nothing waits for a slot or is held.
   */
  limiter?: Limiter | undefined
  /**
   * The server's own figure of what a success took, in ms, for the limiter (L2). undefined: as long as the operation;
   * null: no sample, or one that is reported later by whoever kept the slot. Default: undefined for all.
   */
  latencyOf?: ((value: T) => number | null | undefined) | undefined
  /** Default: the system's. */
  clock?: Clock | undefined
  /** Draws from [0, 1). Default `Math.random`. */
  random?: (() => number) | undefined
  logger?: Logger | undefined
  /** Called before each wait. What it throws ends the call. */
  onRetry?: ((event: RetryEvent) => void) | undefined
  /** Called when the call ends without success, unless its limiter was disposed. What it throws is thrown instead. */
  onGiveUp?: ((event: GiveUpEvent) => void) | undefined
  /** Finds the failure in what the operation returned; undefined: it succeeded. Default: whatever is returned is a success. */
  inspect?: (value: T) => Failure | undefined
  /** Classifies what the operation threw. Default: `failureOf`. */
  failureOf?: (error: unknown) => Failure
  /** Throw what the operation threw, as it is, in place of ThrottledError and TransientError. Default false. */
  rethrow?: boolean
  /** The start of a returned failure's body, for the policy's `classify` (R4). */
  peek?: (value: T) => Promise<string>
  /**
   * Lets go of a returned failure that will not surface: its body is cancelled or drained (R12). What it returns is
   * awaited before the next attempt; it must bound itself, and what it rejects with is ignored.
   */
  release?: (value: T) => void | Promise<void>
  /**
   * Asked at the end of each wait: holds the next attempt back until it calls `go`, or what is left of the total cap is
   * used up (U3: a page that is offline). The time counts as waited.
   * @returns a function that takes it back, called in any case; undefined where nothing holds it
   */
  holdBack?: ((failure: Failure, go: () => void) => (() => void) | undefined) | undefined
}
