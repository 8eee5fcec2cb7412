import { systemClock } from '../clock/system-clock.js'
import { AttemptTimeoutError } from '../errors/attempt-timeout-error.js'
import { type Attempt, LazyAttempt } from './attempt.js'
import { bounded, sleep } from './bounded.js'
import { Call } from './call.js'
import { decide, isSafeToRepeat } from './decide.js'
import type { Classification, Failure } from './failure.js'
import { failureOf as defaultFailureOf } from './failure-of.js'
import type { ExecuteOptions, RetryEvent } from './options.js'
import { mark, wasRetried } from './outcome.js'
import { interactive } from './presets/interactive.js'

/** What one attempt came to: what it returned, or what it threw. */
type Settled<T> = { value: T; failure: Failure | undefined } | { error: unknown; failure: Failure }

/** Ends a classification that takes too long: the failure is then judged by its status. */
const TOO_SLOW = Symbol('too slow')

/**
 * Runs `operation` until it succeeds or the policy says to stop. The only loop in Sluice: it asks {@link decide},
 * waits, and sends again.
 *
 * @param operation makes one attempt; called again for each retry
 * @param options see {@link ExecuteOptions}
 * @returns what the operation returned: a success, or (with `inspect`) the last failure
 * @throws ThrottledError or TransientError where it threw such a failure to the end, with that as `cause`;
 *   AttemptTimeoutError; DeadlineError; the caller's `signal.reason`; anything else that the operation threw, unchanged
 */
export async function execute<T>(
  operation: (attempt: Attempt) => PromiseLike<T> | T,
  options: ExecuteOptions<T> = {},
): Promise<T> {
  const { policy = interactive, clock = systemClock, random = Math.random, retryBudget } = options
  const { inspect, failureOf = defaultFailureOf, release } = options
  const signal = options.signal ?? undefined
  const call = new Call(policy, clock)
  let context: LazyAttempt | undefined
  let deadlineError: Error | undefined

  /** One attempt, bounded by abort, deadline and attempt timeout. Rejects where one of the first two ended it. */
  const send = async (context: LazyAttempt): Promise<Settled<T>> => {
    const { leftMs } = call
    const { attemptTimeoutMs } = policy
    const deadlineFirst = leftMs !== null && (attemptTimeoutMs === null || leftMs <= attemptTimeoutMs) // R10
    const expired = (): Error => {
      if (!deadlineFirst) return new AttemptTimeoutError(attemptTimeoutMs ?? 0, 'response')
      deadlineError = call.deadlineError()
      return deadlineError
    }
    try {
      const value = await bounded(() => operation(context), {
        clock,
        signal,
        ms: deadlineFirst ? leftMs : attemptTimeoutMs,
        expired,
        stopped: (reason) => context.abort(reason),
        late: release,
      })
      if (signal?.aborted) release?.(value) // R11: abort wins over an answer in the same millisecond
      return { value, failure: wasRetried(value) ? undefined : inspect?.(value) } // R14
    } catch (error) {
      if (error === deadlineError) throw error
      return { error, failure: failureOf(error) }
    }
  }

  const classify = async (settled: Settled<T>): Promise<Classification | undefined> => {
    const { failure } = settled
    if (!policy.classify || failure?.kind !== 'status') return
    const peek = async (): Promise<string> => ('value' in settled && options.peek ? options.peek(settled.value) : '')
    const work = async (): Promise<Classification | undefined> => policy.classify?.(failure, peek)
    const ms = call.leftMs ?? policy.attemptTimeoutMs
    try {
      const answer = await bounded(work, { clock, signal, ms, expired: () => TOO_SLOW })
      const waitMs = Math.min(Math.ceil(answer?.waitMs ?? Number.NaN), Number.MAX_SAFE_INTEGER)
      return answer && { class: answer.class, waitMs: waitMs >= 0 ? waitMs : null }
    } catch (error) {
      if (error !== TOO_SLOW) throw error
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

      call.failed(failure, 'error' in settled ? settled.error : undefined)
      const keyed = options.keyed?.() ?? false
      const decision = decide({
        policy,
        failure,
        classification: await classify(settled),
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
        wallNow: clock.wallNow(),
        random,
      })
      call.decided(decision)

      if (!decision.retry) {
        const outcome = call.outcome(decision.reason)
        options.onGiveUp?.({ ...outcome, failure })
        if ('value' in settled) return mark(settled.value, outcome)
        const asIs = options.rethrow || decision.class === 'final' || settled.error instanceof AttemptTimeoutError
        throw mark(asIs ? settled.error : call.error(decision.reason), outcome)
      }

      const { class: kind, waitMs, retryAfterMs } = decision
      if (kind === 'transient') retryBudget?.take(clock.now()) // R16: before the wait
      if ('value' in settled) release?.(settled.value) // R12: before the wait
      announce({ attempt: call.attempts + 1, waitMs, retryAfterMs, class: kind, failure }, options)
      const waitingSinceMs = clock.now()
      try {
        await sleep(waitMs, clock, signal)
      } finally {
        call.waitedMs += clock.now() - waitingSinceMs
      }
      context.finish() // whatever it left running, such as a slow drain
    }
  } catch (error) {
    const stopped = signal?.aborted ? 'aborted' : error === deadlineError ? 'deadline' : undefined
    if (stopped) {
      context?.abort(error)
      const outcome = call.outcome(stopped)
      if (stopped === 'deadline') mark(error, outcome) // an abort's reason is the caller's, untouched (R11)
      options.onGiveUp?.({ ...outcome, failure: call.failure })
    }
    throw stopped === 'aborted' ? signal?.reason : error
  }
}

const announce = <T>(event: RetryEvent, { policy = interactive, logger, onRetry }: ExecuteOptions<T>): void => {
  const { failure, waitMs, attempt } = event
  const status = failure.kind === 'status' ? `HTTP ${failure.status}` : failure.kind
  const line = `${event.class === 'throttle' ? 'rate limited' : status}; retrying in ${waitMs} ms (attempt ${attempt})`
  // R15: a throttle-budget wait stalls the caller for whole seconds.
  if (event.class === 'throttle' && policy.throttleBudgetMs !== null) logger?.warn(line)
  else logger?.debug?.(line)
  onRetry?.(event)
}
