import type { Clock } from '../clock/clock.js'
import { systemClock } from '../clock/system-clock.js'
import { AttemptTimeoutError } from '../errors/attempt-timeout-error.js'
import { announce } from './announce.js'
import { type Attempt, LazyAttempt } from './attempt.js'
import { bounded } from './bounded.js'
import { Call } from './call.js'
import { classify } from './classify.js'
import { type Decision, decide, isSafeToRepeat } from './decide.js'
import type { Failure } from './failure.js'
import { failureOf } from './failure-of.js'
import type { ExecuteOptions } from './options.js'
import { mark, type Outcome, wasRetried } from './outcome.js'
import { checkedPolicy, type RetryPolicy } from './policy.js'
import { interactive } from './presets/interactive.js'
import type { Reason } from './reason.js'

/** What a failed attempt came to: what it returned, or what it threw. */
export type Failed<T> = { failure: Failure; value: T } | { failure: Failure; error: unknown }

/** One call of `execute()`: the only loop in Sluice. A class for its speed: most calls need none of these methods. */
export class Execution<T> {
  readonly operation: (attempt: Attempt) => PromiseLike<T> | T
  readonly options: ExecuteOptions<T>
  readonly policy: RetryPolicy
  readonly clock: Clock
  readonly signal: AbortSignal | undefined
  readonly call: Call
  attempt: LazyAttempt | undefined
  /** A failed value that nobody has let go of yet. */
  unread: { value: T } | undefined
  deadlineError: Error | undefined
  /** Whether `onGiveUp` was called. */
  told = false
  /** Whether the end is what the caller is to see: everything later is a fault of an observer. */
  surfaced = false

  constructor(operation: (attempt: Attempt) => PromiseLike<T> | T, options: ExecuteOptions<T>) {
    this.operation = operation
    this.options = options
    this.policy = options.policy ?? interactive
    this.clock = options.clock ?? systemClock
    this.signal = options.signal ?? undefined
    this.call = new Call(this.policy, this.clock)
  }

  async run(): Promise<T> {
    const { operation, options, policy, signal, call } = this
    checkedPolicy(policy, 'execute')
    const unbounded = !signal && policy.attemptTimeoutMs === null && policy.deadlineMs === null
    try {
      options.retryBudget?.begin(this.clock.now())
      for (;;) {
        signal?.throwIfAborted()
        const attempt = new LazyAttempt(++call.attempts)
        this.attempt = attempt
        let failed: Failed<T>
        try {
          const value = unbounded ? await operation(attempt) : await this.bound(attempt)
          if (signal?.aborted) {
            this.release(value) // R11: abort wins over an answer in the same millisecond
            throw signal.reason
          }
          const failure = wasRetried(value) ? undefined : options.inspect?.(value) // R14
          if (!failure) return options.inspect ? mark(value, call.outcome(null)) : value
          failed = { failure, value }
        } catch (error) {
          if (signal?.aborted) throw signal.reason
          if (this.deadlineError) throw this.deadlineError
          failed = { failure: (options.failureOf ?? failureOf)(error), error }
        }
        const decision = await this.decide(failed)
        if (!decision.retry) return this.surface(failed, decision)
        await this.wait(failed, decision)
        attempt.finish() // whatever it left running
      }
    } catch (error) {
      throw this.stopped(error)
    }
  }

  /** One attempt, bounded by abort, deadline and attempt timeout. */
  bound(attempt: LazyAttempt): Promise<T> {
    const { leftMs } = this.call
    const { attemptTimeoutMs } = this.policy
    const deadlineFirst = leftMs !== null && (attemptTimeoutMs === null || leftMs <= attemptTimeoutMs) // R10
    return bounded(() => this.operation(attempt), {
      clock: this.clock,
      signal: this.signal,
      ms: deadlineFirst ? leftMs : attemptTimeoutMs,
      expired: () => {
        if (!deadlineFirst) return new AttemptTimeoutError(attemptTimeoutMs ?? 0, 'response')
        this.deadlineError = this.call.deadlineError()
        return this.deadlineError
      },
      stopped: (reason) => attempt.abort(reason),
      late: (value) => this.release(value),
    })
  }

  async decide(failed: Failed<T>): Promise<Decision> {
    const { options, policy, clock, call } = this
    const { failure } = failed
    const wallNow = clock.wallNow() // when the answer came, not when it was understood (H3)
    this.unread = 'value' in failed ? failed : undefined
    call.failed(failure, 'error' in failed ? failed.error : undefined)
    const classification = await classify(failed, call, { ...options, policy, clock })
    const keyed = options.keyed?.() ?? false
    const decision = decide({
      policy,
      failure,
      classification,
      safe: isSafeToRepeat(options.method, keyed, options.idempotent ?? false),
      keyed,
      replayable: options.replayable?.() ?? true,
      attempt: call.attempts,
      waitedMs: call.cappedWaitMs,
      throttleWaitedMs: call.throttleWaitMs,
      elapsedMs: call.elapsedMs,
      transientFailures: call.transientFailures + 1,
      failedTransiently: call.failedTransiently,
      retryTokens: options.retryBudget?.tokens(clock.now()) ?? Number.POSITIVE_INFINITY,
      wallNow,
      random: options.random ?? Math.random,
    })
    call.decided(decision)
    // R16: in the same moment as it was counted, or calls that fail together would all take the last one.
    if (decision.retry && decision.class === 'transient') options.retryBudget?.take(clock.now())
    return decision
  }

  /** The end of a call that is not sent again: the last failure, with its outcome (R14). */
  surface(failed: Failed<T>, decision: Decision & { retry: false }): T {
    const outcome = this.tell(decision.reason)
    this.surfaced = true
    if ('value' in failed) return mark(failed.value, outcome)
    const { error } = failed
    const asIs = this.options.rethrow || decision.class === 'final' || error instanceof AttemptTimeoutError
    throw mark(asIs ? error : this.call.error(decision.reason), outcome)
  }

  /** Waits for what was decided, and until the failed answer is let go of; rejects when aborted (R11). */
  async wait({ failure }: Failed<T>, decision: Decision & { retry: true }): Promise<void> {
    const { options, policy, clock, signal, call, unread } = this
    const { class: kind, waitMs, retryAfterMs } = decision
    const released = unread && this.release(unread.value) // R12: before the wait
    this.unread = undefined
    announce({ attempt: call.attempts + 1, waitMs, retryAfterMs, class: kind, failure }, policy, options)
    const sinceMs = clock.now()
    let cancel: (() => void) | undefined
    const work = (): Promise<unknown> => {
      const slept = new Promise<void>((resolve) => {
        cancel = clock.timer(waitMs, resolve)
      })
      return Promise.all([slept, released])
    }
    try {
      await bounded(work, { clock, signal, ms: null, expired: () => undefined, stopped: () => cancel?.() })
    } finally {
      call.waitedMs += clock.now() - sinceMs
    }
  }

  /** What the call throws in the end; whatever is still open is let go of first. */
  stopped(error: unknown): unknown {
    const { signal } = this
    if (this.surfaced) return error
    const reason = signal?.aborted ? signal.reason : error
    this.attempt?.abort(reason) // the call was stopped, or an observer threw: nobody will read what came
    if (this.unread) this.release(this.unread.value)
    if (this.told) return error
    if (signal?.aborted)
      this.tell('aborted') // the reason is the caller's, untouched (R11)
    else if (this.deadlineError) mark(this.deadlineError, this.tell('deadline'))
    return reason
  }

  tell(reason: Reason): Outcome {
    this.told = true
    const outcome = this.call.outcome(reason)
    this.options.onGiveUp?.({ ...outcome, failure: this.call.failure, class: this.call.class })
    return outcome
  }

  async release(value: T): Promise<void> {
    try {
      await this.options.release?.(value)
    } catch {
      // Nobody is left who could do anything about it.
    }
  }
}
