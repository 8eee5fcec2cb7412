import type { Clock } from '../clock/clock.js'
import { systemClock } from '../clock/system-clock.js'
import { AttemptTimeoutError } from '../errors/attempt-timeout-error.js'
import { announce } from './announce.js'
import { type Attempt, LazyAttempt } from './attempt.js'
import { bounded } from './bounded.js'
import { Call } from './call.js'
import { classify } from './classify.js'
import { decide, isSafeToRepeat } from './decide.js'
import type { Failure } from './failure.js'
import { failureOf as defaultFailureOf } from './failure-of.js'
import type { ExecuteOptions } from './options.js'
import { mark, wasRetried } from './outcome.js'
import { checkedPolicy } from './policy.js'
import { interactive } from './presets/interactive.js'
import type { Reason } from './reason.js'

/** What one attempt came to: what it returned, or what it threw. */
export type Settled<T> = { value: T; failure: Failure | undefined } | { error: unknown; failure: Failure }

/**
 * Runs `operation` until it succeeds or the policy says to stop. The only loop in Sluice: it asks {@link decide},
 * waits, and sends again.
 *
 * @param operation makes one attempt; called again for each retry
 * @param options see {@link ExecuteOptions}
 * @returns what the operation returned: a success, or (with `inspect`) the last failure
 * @throws ThrottledError or TransientError where it threw such a failure to the end, with that as `cause`;
 *   AttemptTimeoutError; DeadlineError; the caller's `signal.reason`; anything else that the operation threw, unchanged;
 *   TypeError for a policy that was not made by `retryPolicy()`
 */
export async function execute<T>(
  operation: (attempt: Attempt) => PromiseLike<T> | T,
  options: ExecuteOptions<T> = {},
): Promise<T> {
  const { clock = systemClock, random = Math.random, retryBudget, inspect, failureOf = defaultFailureOf } = options
  const policy = checkedPolicy(options.policy ?? interactive, 'execute')
  const signal = options.signal ?? undefined
  const call = new Call(policy, clock)
  let context: LazyAttempt | undefined
  let unread: { value: T } | undefined
  let deadlineError: Error | undefined
  let told = false
  let surfaced = false

  const release = async (value: T): Promise<void> => {
    try {
      await options.release?.(value)
    } catch {
      // Nobody is left who could do anything about it.
    }
  }
  const end = (reason: Reason): ReturnType<Call['outcome']> => {
    told = true
    const outcome = call.outcome(reason)
    options.onGiveUp?.({ ...outcome, failure: call.failure })
    return outcome
  }

  /** One attempt, bounded by abort, deadline and attempt timeout. Rejects where one of the first two ended it. */
  const send = async (attempt: LazyAttempt): Promise<Settled<T>> => {
    const { leftMs } = call
    const { attemptTimeoutMs } = policy
    const deadlineFirst = leftMs !== null && (attemptTimeoutMs === null || leftMs <= attemptTimeoutMs) // R10
    const expired = (): Error => {
      if (!deadlineFirst) return new AttemptTimeoutError(attemptTimeoutMs ?? 0, 'response')
      deadlineError = call.deadlineError()
      return deadlineError
    }
    try {
      const value = await bounded(() => operation(attempt), {
        clock,
        signal,
        ms: deadlineFirst ? leftMs : attemptTimeoutMs,
        expired,
        stopped: (reason) => attempt.abort(reason),
        late: release,
      })
      if (signal?.aborted) release(value) // R11: abort wins over an answer in the same millisecond
      return { value, failure: wasRetried(value) ? undefined : inspect?.(value) } // R14
    } catch (error) {
      if (deadlineError) throw deadlineError
      return { error, failure: failureOf(error) }
    }
  }

  try {
    retryBudget?.begin(clock.now())
    for (;;) {
      signal?.throwIfAborted()
      context = new LazyAttempt(++call.attempts)
      const settled = await send(context)
      signal?.throwIfAborted()
      const { failure } = settled
      if (!failure) return mark((settled as { value: T }).value, call.outcome(null)) // no failure: nothing was thrown
      unread = 'value' in settled ? settled : undefined

      const wallNow = clock.wallNow() // when the answer came, not when it was understood (H3)
      call.failed(failure, 'error' in settled ? settled.error : undefined)
      const classification = await classify(settled, call, { ...options, policy, clock })
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
        retryTokens: retryBudget?.tokens(clock.now()) ?? Number.POSITIVE_INFINITY,
        wallNow,
        random,
      })
      call.decided(decision)

      if (!decision.retry) {
        const outcome = end(decision.reason)
        surfaced = true
        if ('value' in settled) return mark(settled.value, outcome)
        const asIs = options.rethrow || decision.class === 'final' || settled.error instanceof AttemptTimeoutError
        throw mark(asIs ? settled.error : call.error(decision.reason), outcome)
      }

      const { class: kind, waitMs, retryAfterMs } = decision
      if (kind === 'transient') retryBudget?.take(clock.now()) // R16: before the wait
      const released = unread && release(unread.value) // R12: before the wait
      unread = undefined
      announce({ attempt: call.attempts + 1, waitMs, retryAfterMs, class: kind, failure }, policy, options)
      const waitingSinceMs = clock.now()
      try {
        await pause(waitMs, released, clock, signal)
      } finally {
        call.waitedMs += clock.now() - waitingSinceMs
      }
      context.finish() // whatever it left running
    }
  } catch (error) {
    if (surfaced) throw error
    const reason = signal?.aborted ? signal.reason : error
    context?.abort(reason) // the call was stopped, or an observer threw: nobody will read what came
    if (unread) release(unread.value)
    if (told) throw error
    if (signal?.aborted)
      end('aborted') // the reason is the caller's, untouched (R11)
    else if (deadlineError) mark(deadlineError, end('deadline'))
    throw reason
  }
}

/** Waits for `ms`, and for `released`; rejects with `signal.reason` when aborted before, and clears the timer (R11). */
function pause(
  ms: number,
  released: Promise<void> | undefined,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  let cancel: (() => void) | undefined
  const work = (): Promise<unknown> => {
    const slept = new Promise<void>((resolve) => {
      cancel = clock.timer(ms, resolve)
    })
    return Promise.all([slept, released])
  }
  return bounded(work, { clock, signal, ms: null, expired: () => undefined, stopped: () => cancel?.() })
}
