import { AttemptTimeoutError } from '../errors/attempt-timeout-error.js'
import type { Slot } from '../limit/slot.js'
import { announce } from './announce.js'
import { type Attempt, LazyAttempt } from './attempt.js'
import { bounded } from './bounded.js'
import { Call, type Failed } from './call.js'
import type { Decision } from './decide.js'
import type { Failure, FailureClass } from './failure.js'
import { failureOf } from './failure-of.js'
import { type Limiter, reportOfFailure } from './limiter.js'
import type { ExecuteOptions } from './options.js'
import { mark, type Outcome, wasRetried } from './outcome.js'
import { checkedPolicy } from './policy.js'

/** One call of `execute()`: the only loop in Sluice. A class for its speed: most calls need none of these methods. */
export class Execution<T> {
  readonly #operation: (attempt: Attempt) => PromiseLike<T> | T
  readonly #call: Call<T>
  #attempt: LazyAttempt | undefined
  /** A failed value that nobody has let go of yet. */
  #unread: { value: T } | undefined
  #deadlineError: Error | undefined
  /** Whether `onGiveUp` was called. */
  #told = false
  /** Whether the end is what the caller is to see: everything later is a fault of an observer. */
  #surfaced = false

  constructor(operation: (attempt: Attempt) => PromiseLike<T> | T, options: ExecuteOptions<T>) {
    this.#operation = operation
    this.#call = new Call(options)
  }

  async run(): Promise<T> {
    const operation = this.#operation
    const call = this.#call
    const { options, policy, signal } = call
    checkedPolicy(policy, 'execute')
    const unbounded = !signal && policy.attemptTimeoutMs === null && policy.deadlineMs === null
    try {
      options.retryBudget?.begin(call.clock.now())
      for (;;) {
        signal?.throwIfAborted()
        const slot = options.limiter && (await this.#admit(options.limiter))
        const attempt = new LazyAttempt(++call.attempt, slot)
        this.#attempt = attempt
        const sentAtMs = slot ? call.clock.now() : 0
        let failed: Failed<T>
        try {
          const value = unbounded ? await operation(attempt) : await this.#bound(attempt)
          if (signal?.aborted) {
            this.#release(value) // R11: abort wins over an answer in the same millisecond
            throw signal.reason
          }
          const failure = wasRetried(value) ? undefined : options.inspect?.(value) // R14
          if (!failure) {
            if (slot) this.#succeeded(value, attempt, sentAtMs)
            return options.inspect ? mark(value, call.outcome(null)) : value
          }
          failed = { failure, value }
          this.#unread = failed
        } catch (error) {
          if (signal?.aborted) throw signal.reason
          if (this.#deadlineError) throw this.#deadlineError
          failed = { failure: (options.failureOf ?? failureOf)(error), error }
        }
        const tookMs = slot ? call.clock.now() - sentAtMs : 0
        const decision = await call.decide(failed)
        slot?.report(reportOfFailure(failed.failure, decision, tookMs)) // before the slot is free: a hold is obeyed by the next
        slot?.release() // L12: kept or not
        if (!decision.retry) return this.#surface(failed, decision)
        await this.#wait(failed, decision)
        attempt.finish() // whatever it left running
      }
    } catch (error) {
      throw this.#stopped(error)
    }
  }

  /** A slot for the next attempt (L12); rejects with what the limiter refuses it with, as the end of this call. */
  async #admit(limiter: Limiter): Promise<Slot> {
    const call = this.#call
    const retryOf = this.#attempt?.slot
    const free = limiter.tryAcquire({ retryOf })
    if (free) return free
    const { clock, signal, leftMs, maxHeldMs } = call
    const left = new AbortController()
    let sinceMs = clock.now()
    const bounds = { signal: left.signal, retryOf, maxHeldMs, endsAtMs: sinceMs + leftMs }
    const waited = (): void => {
      const now = clock.now()
      call.waitedMs += now - sinceMs
      sinceMs = now
    }
    try {
      const slot = await bounded(() => limiter.acquire(bounds), {
        clock,
        signal,
        ms: leftMs,
        expired: () => {
          waited()
          return this.#expired()
        },
        stopped: (reason) => left.abort(reason),
        late: (unused) => unused.release(),
      }).finally(waited)
      call.held(slot.heldMs)
      return slot
    } catch (error) {
      const refused = call.refused(error)
      if (!refused) throw error
      this.#surfaced = true
      throw mark(refused.error, this.#tell(refused.outcome, refused.class))
    }
  }

  /** L2: a success is a sample, of what the server says or of as long as it took. */
  #succeeded(value: T, attempt: LazyAttempt, sentAtMs: number): void {
    const { options, clock } = this.#call
    const { slot } = attempt
    const figure = options.latencyOf?.(value)
    const said = figure === undefined && wasRetried(value) ? null : figure // an inner layer's waits are no latency
    if (said !== null && !slot?.reported) slot?.report({ kind: 'success', latencyMs: said ?? clock.now() - sentAtMs })
    attempt.settle()
  }

  /** One attempt, bounded by abort, deadline and attempt timeout. */
  #bound(attempt: LazyAttempt): Promise<T> {
    const { leftMs, clock, signal, policy } = this.#call
    const timeoutMs = policy.attemptTimeoutMs ?? Number.POSITIVE_INFINITY
    return bounded(() => this.#operation(attempt), {
      clock,
      signal,
      ms: Math.min(leftMs, timeoutMs),
      expired: () => {
        if (timeoutMs < leftMs) return new AttemptTimeoutError(timeoutMs, 'response')
        return this.#expired()
      },
      stopped: (reason) => attempt.abort(reason),
      late: (value) => this.#release(value),
    })
  }

  #expired(): Error {
    this.#deadlineError = this.#call.deadlineError() // R10
    return this.#deadlineError
  }

  /** The end of a call that is not sent again: the last failure, with its outcome (R14). */
  #surface(failed: Failed<T>, decision: Decision & { retry: false }): T {
    const outcome = this.#tell(this.#call.outcome(decision.reason))
    this.#surfaced = true
    if ('value' in failed) return mark(failed.value, outcome)
    const { error } = failed
    const asIs = this.#call.options.rethrow || decision.class === 'final' || error instanceof AttemptTimeoutError
    throw mark(asIs ? error : this.#call.error(decision.reason), outcome)
  }

  /** Waits for what was decided, and until the failed answer is let go of; rejects when aborted (R11). */
  async #wait({ failure }: Failed<T>, decision: Decision & { retry: true }): Promise<void> {
    const call = this.#call
    const { clock, signal } = call
    const { class: kind, waitMs, retryAfterMs } = decision
    const released = this.#unread && this.#release(this.#unread.value) // R12: before the wait
    this.#unread = undefined
    announce({ attempt: call.attempt + 1, waitMs, retryAfterMs, class: kind, failure }, call)
    const sinceMs = clock.now()
    let cancel: (() => void) | undefined
    const work = (): Promise<unknown> => {
      const slept = new Promise<void>((resolve) => {
        cancel = clock.timer(waitMs, resolve)
      })
      return Promise.all([slept, released])
    }
    try {
      await bounded(work, { clock, signal, stopped: () => cancel?.() })
      if (call.options.holdBack) await this.#holdBack(failure)
    } finally {
      call.waitedMs += clock.now() - sinceMs
    }
  }

  /** Waits on for as long as the caller says, within the total cap and the deadline (U3). */
  #holdBack(failure: Failure): Promise<void> {
    const call = this.#call
    const { clock, signal } = call
    const sinceMs = clock.now()
    let letGo: (() => void) | undefined
    let cancel: (() => void) | undefined
    const held = (): Promise<void> =>
      new Promise((go) => {
        letGo = call.options.holdBack?.(failure, go)
        if (letGo) cancel = clock.timer(Math.min(call.cappedLeftMs, call.leftMs), go)
        else go()
      })
    return bounded(held, { clock, signal }).finally(() => {
      letGo?.()
      cancel?.()
      call.heldBack(clock.now() - sinceMs)
    })
  }

  /** What the call throws in the end; whatever is still open is let go of first. */
  #stopped(error: unknown): unknown {
    this.#attempt?.settle()
    if (this.#surfaced) return error
    const { signal } = this.#call
    const reason = signal?.aborted ? signal.reason : error
    this.#attempt?.abort(reason) // the call was stopped, or an observer threw: nobody will read what came
    if (this.#unread) this.#release(this.#unread.value)
    if (this.#told) return error
    if (signal?.aborted)
      this.#tell(this.#call.outcome('aborted')) // the reason is the caller's, untouched (R11)
    else if (this.#deadlineError) mark(this.#deadlineError, this.#tell(this.#call.outcome('deadline')))
    return reason
  }

  #tell(outcome: Outcome, kind: FailureClass | null = this.#call.class): Outcome {
    this.#told = true
    const { options, failure } = this.#call
    options.onGiveUp?.({ ...outcome, failure, class: kind })
    return outcome
  }

  async #release(value: T): Promise<void> {
    try {
      await this.#call.options.release?.(value)
    } catch {
      // Nobody is left who could do anything about it.
    }
  }
}
