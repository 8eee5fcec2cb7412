import type { Clock } from '../clock/clock.js'
import { systemClock } from '../clock/system-clock.js'
import { isBranded } from '../errors/brand.js'
import { DeadlineError } from '../errors/deadline-error.js'
import type { RetryErrorFields } from '../errors/retry-error.js'
import { ThrottledError } from '../errors/throttled-error.js'
import { TransientError } from '../errors/transient-error.js'
import { classify } from './classify.js'
import { type Decision, decide, isSafeToRepeat, isUnprocessed } from './decide.js'
import type { Failure, FailureClass } from './failure.js'
import type { ExecuteOptions } from './options.js'
import type { Outcome } from './outcome.js'
import type { RetryPolicy } from './policy.js'
import { interactive } from './presets/interactive.js'
import type { Reason } from './reason.js'

/** What a failed attempt came to: what it returned, or what it threw. */
export type Failed<T> = { failure: Failure; value: T } | { failure: Failure; error: unknown }

const REFUSALS = [
  ['QueueFullError', 'queue_full'],
  ['QueueTimeoutError', 'queue_timeout'],
  ['ThrottledError', 'held'],
] as const

/** What one call has lived through so far, and what follows from it. */
export class Call<T> {
  readonly options: ExecuteOptions<T>
  readonly policy: RetryPolicy
  readonly clock: Clock
  readonly signal: AbortSignal | undefined
  /** Sends begun. */
  attempt = 0
  /** Time really spent waiting, of a broken-off wait too. */
  waitedMs = 0
  /** The last one; null before any. */
  failure: Failure | null = null
  /** Waits that count against the total cap: with a throttle budget, only those after transient failures. */
  #cappedWaitMs = 0
  #throttleWaitMs = 0
  #transientFailures = 0
  /** Whether the server may have acted on an attempt that failed (R2's 409). */
  #failedTransiently = false
  readonly #startedMs: number
  #decision: Decision | undefined
  #error: unknown
  #status: Extract<Failure, { kind: 'status' }> | undefined

  constructor(options: ExecuteOptions<T>) {
    this.options = options
    this.policy = options.policy ?? interactive
    this.clock = options.clock ?? systemClock
    this.signal = options.signal ?? undefined
    this.#startedMs = this.policy.deadlineMs === null ? 0 : this.clock.now() // looked at for a deadline alone
  }

  /** Since the call began, where there is a deadline that it could pass. */
  get #elapsedMs(): number {
    return this.policy.deadlineMs === null ? 0 : this.clock.now() - this.#startedMs
  }

  /** Time left until the deadline; Infinity where there is none. */
  get leftMs(): number {
    return Math.max(0, (this.policy.deadlineMs ?? Number.POSITIVE_INFINITY) - this.#elapsedMs)
  }

  /** Of the last failure; null before any. */
  get class(): FailureClass | null {
    return this.#decision?.class ?? null
  }

  /** Longest time that the call may be held before its next attempt (L10): held time counts as waited. */
  get maxHeldMs(): number {
    const { throttleBudgetMs, perAttemptCapMs, totalCapMs } = this.policy
    if (throttleBudgetMs !== null) return throttleBudgetMs - this.#throttleWaitMs
    return Math.min(perAttemptCapMs, totalCapMs - this.#cappedWaitMs)
  }

  /** What is left of the total cap. */
  get cappedLeftMs(): number {
    return this.policy.totalCapMs - this.#cappedWaitMs
  }

  /** Takes note of time that a retry was held back (U3): of the total cap, as the wait before it. */
  heldBack(ms: number): void {
    this.#cappedWaitMs += ms
  }

  /** Takes note of time that the call was held: it counts against the bounds of waits. */
  held(ms: number): void {
    if (this.policy.throttleBudgetMs === null) this.#cappedWaitMs += ms
    else this.#throttleWaitMs += ms
  }

  /** Decides about a failed attempt, and takes note of both. */
  async decide(failed: Failed<T>): Promise<Decision> {
    const { options, policy, clock, attempt } = this
    const { failure } = failed
    const wallNow = clock.wallNow() // when the answer came, not when it was understood (H3)
    this.failure = failure
    this.#error = 'error' in failed ? failed.error : undefined
    if (failure.kind === 'status') this.#status = failure
    const classification = await classify(failed, this)
    const keyed = options.keyed?.() ?? false
    const decision = decide({
      policy,
      failure,
      classification,
      safe: isSafeToRepeat(options.method, keyed, options.idempotent ?? false),
      keyed,
      replayable: options.replayable?.() ?? true,
      attempt,
      waitedMs: this.#cappedWaitMs,
      throttleWaitedMs: this.#throttleWaitMs,
      elapsedMs: this.#elapsedMs,
      transientFailures: this.#transientFailures + 1,
      failedTransiently: this.#failedTransiently,
      retryTokens: options.retryBudget?.tokens(clock.now()) ?? Number.POSITIVE_INFINITY,
      wallNow,
      random: options.random ?? Math.random,
    })
    this.#decision = decision
    const transient = decision.class === 'transient'
    if (transient) {
      this.#transientFailures++
      if (!isUnprocessed(failure, attempt)) this.#failedTransiently = true
    }
    if (decision.retry) {
      // R16: in the same moment as it was counted, or calls that fail together would all take the last one.
      if (transient) options.retryBudget?.take(clock.now())
      if (transient || policy.throttleBudgetMs === null) this.#cappedWaitMs += decision.waitMs
      else this.#throttleWaitMs += decision.waitMs
    }
    return decision
  }

  outcome(reason: Reason | null): Outcome {
    const stated = reason === null || reason === 'aborted' ? null : (this.#decision?.retryAfterMs ?? null)
    return { attempts: this.attempt, waitedMs: Math.round(this.waitedMs), reason, retryAfterMs: stated }
  }

  /** The error of this library that says how the last attempt failed. */
  error(reason: Reason): Error {
    const fields = this.#fields(reason)
    if (this.class === 'throttle') return new ThrottledError(fields, this.#error)
    return new TransientError(this.failure ?? { kind: 'final' }, fields, this.#error)
  }

  deadlineError(): DeadlineError {
    // R12: the last status and headers, without a body. S5: after a throttle, this one is a throttle too.
    const cause = this.failure ? this.error('deadline') : undefined
    return new DeadlineError(this.policy.deadlineMs ?? 0, this.#fields('deadline'), cause)
  }

  #fields(reason: Reason): RetryErrorFields {
    const { status = null, headers = null } = this.#status ?? {}
    return { ...this.outcome(reason), status, headers }
  }

  /**
   * What a limiter refused a slot with, as the end of this call: the last failure is its cause, as after a deadline (R12).
   * @returns undefined where it is no refusal
   */
  refused(error: unknown): { error: Error; outcome: Outcome; class: FailureClass | null } | undefined {
    const reason = REFUSALS.find(([brand]) => isBranded(error, brand))?.[1]
    if (!reason || !(error instanceof Error)) return undefined
    const cause = this.failure ? this.error(reason) : undefined
    if (reason !== 'held') {
      if (cause) Object.defineProperty(error, 'cause', { value: cause, configurable: true, writable: true })
      return { error, outcome: this.outcome(reason), class: this.class }
    }
    const { retryAfterMs } = error as ThrottledError // branded so
    const outcome = { ...this.outcome(reason), retryAfterMs }
    return { error: new ThrottledError({ ...this.#fields(reason), ...outcome }, cause), outcome, class: 'throttle' }
  }
}
