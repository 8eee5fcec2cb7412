import type { Clock } from '../clock/clock.js'
import { DeadlineError } from '../errors/deadline-error.js'
import type { RetryErrorFields } from '../errors/retry-error.js'
import { ThrottledError } from '../errors/throttled-error.js'
import { TransientError } from '../errors/transient-error.js'
import type { Decision } from './decide.js'
import type { Failure, FailureClass } from './failure.js'
import type { Outcome } from './outcome.js'
import type { RetryPolicy } from './policy.js'
import type { Reason } from './reason.js'

/** What one call has lived through so far. */
export class Call {
  readonly policy: RetryPolicy
  /** Sends begun. */
  attempts = 0
  /** Stated and computed waits that count against the total cap: with a throttle budget, only those after transient failures. */
  cappedWaitMs = 0
  throttleWaitMs = 0
  /** Time really spent waiting, of a broken-off wait too. */
  waitedMs = 0
  transientFailures = 0
  /** Whether the server may have acted on an attempt that failed (R2's 409). */
  failedTransiently = false
  failure: Failure | null = null
  private readonly clock: Clock
  private readonly startedMs: number
  private decision: Decision | undefined
  private lastError: unknown
  private status: Extract<Failure, { kind: 'status' }> | undefined

  constructor(policy: RetryPolicy, clock: Clock) {
    this.policy = policy
    this.clock = clock
    this.startedMs = policy.deadlineMs === null ? 0 : clock.now() // looked at for a deadline alone
  }

  /** Since the call began, where there is a deadline that it could pass. */
  get elapsedMs(): number {
    return this.policy.deadlineMs === null ? 0 : this.clock.now() - this.startedMs
  }

  /** Time left until the deadline; null where there is none. */
  get leftMs(): number | null {
    const { deadlineMs } = this.policy
    return deadlineMs === null ? null : Math.max(0, deadlineMs - this.elapsedMs)
  }

  /** Takes note of a failed attempt, and of what it threw, if it threw. */
  failed(failure: Failure, error: unknown): void {
    this.failure = failure
    this.lastError = error
    if (failure.kind === 'status') this.status = failure
  }

  /** Takes note of what was decided about it. */
  decided(decision: Decision): void {
    this.decision = decision
    if (decision.class === 'transient') {
      this.transientFailures++
      const unprocessed = this.failure?.kind === 'connect' && this.failure.refusedStream && this.attempts === 1
      if (!unprocessed) this.failedTransiently = true // R3: a refused stream was not acted on
    }
    if (!decision.retry) return
    if (decision.class === 'throttle' && this.policy.throttleBudgetMs !== null) this.throttleWaitMs += decision.waitMs
    else this.cappedWaitMs += decision.waitMs
  }

  /** Of the last failure; null before any. */
  get class(): FailureClass | null {
    return this.decision?.class ?? null
  }

  outcome(reason: Reason | null): Outcome {
    const stated = reason === null || reason === 'aborted' ? null : (this.decision?.retryAfterMs ?? null)
    return { attempts: this.attempts, waitedMs: Math.round(this.waitedMs), reason, retryAfterMs: stated }
  }

  /** R12: the last status and headers, without a body; or what the last attempt threw. */
  cause(): unknown {
    return this.failure?.kind === 'status' && this.lastError === undefined ? this.error('deadline') : this.lastError
  }

  /** The error of this library that says how the last attempt failed. */
  error(reason: Reason): Error {
    const fields = this.fields(reason)
    if (this.decision?.class === 'throttle') return new ThrottledError(fields, this.lastError)
    return new TransientError(this.failure ?? { kind: 'final' }, fields, this.lastError)
  }

  deadlineError(): DeadlineError {
    return new DeadlineError(this.policy.deadlineMs ?? 0, this.fields('deadline'), this.cause())
  }

  private fields(reason: Reason): RetryErrorFields {
    return { ...this.outcome(reason), status: this.status?.status ?? null, headers: this.status?.headers ?? null }
  }
}
