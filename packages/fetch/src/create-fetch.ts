import {
  type Attempt,
  execute,
  type Failure,
  failureOf,
  interactive,
  type RetryPolicy,
  retryPolicy,
  systemClock,
} from '@sluice/core'
import { checkedPolicy, wasRetried } from '@sluice/core/adapter'
import type { CallScope } from './call-scope.js'
import { checkOptions } from './check-options.js'
import { inspect, peek, release } from './failed-response.js'
import { type BodyWatch, guardBody } from './guard-body.js'
import { withIdempotencyKey } from './idempotency-key.js'
import { watchSlot } from './latency/slot-watch.js'
import { limiterOf } from './limiter-of.js'
import type { CallOptions, FetchOptions, SluiceFetch } from './options.js'
import { RequestSource } from './request-source.js'
import { WaitingStore } from './waiting-calls.js'
import { withoutSecrets } from './without-secrets.js'

/**
 * Makes a fetch that backs off: same arguments, same answers, the policy inside.
 *
 * A call resolves with the last `Response`, whatever its status (S4); it rejects where there was none, with what the
 * platform's fetch threw, an AttemptTimeoutError, a DeadlineError, or the caller's own abort reason; and with a limit
 * where that refuses a slot: a QueueFullError, a QueueTimeoutError, or a ThrottledError of reason `held`. How it went is
 * in `outcomeOf(response or error)`.
 *
 * @throws TypeError for an option there is none of, or a policy that was not made by `retryPolicy()`
 */
export function createFetch(options: FetchOptions = {}): SluiceFetch {
  return build(options, new WaitingStore(), { count: 0 })
}

let lastId = 0

/**
 * Makes what `createFetch()` makes, for adapters too: with a store and a count that several may share.
 * @param scopeOf begins each call on the adapter's side
 */
export function build(
  options: FetchOptions,
  waiting: WaitingStore,
  passed: { count: number },
  scopeOf?: (source: RequestSource) => CallScope,
): SluiceFetch {
  checkOptions(options)
  const { clock = systemClock, idempotencyKey, limit, latencyOf, slotUntil } = options
  const policy = checkedPolicy(options.policy ?? interactive, 'createFetch')
  const mayRetry = policy.maxAttempts > 1 || policy.throttleBudgetMs !== null
  const keepBytes = mayRetry ? policy.maxReplayBytes : null

  const call = async (input: string | URL | Request, given?: RequestInit): Promise<Response> => {
    const id = ++lastId
    const init = idempotencyKey ? withIdempotencyKey(input, given, idempotencyKey) : given
    const source = new RequestSource(input, init, keepBytes)
    const { method, url } = source
    const passes = limit !== undefined && options.letPast?.(url, method) === true
    if (passes) passed.count++
    const limiter = passes ? undefined : limiterOf(options, url, method)
    let latencyMs: number | null | undefined
    let answered = false
    const send = async (attempt: Attempt): Promise<Response> => {
      waiting.change(id, { inFlight: true })
      const sentAtMs = limiter ? clock.now() : 0
      answered = false
      const response = await source.send(options.fetch ?? globalThis.fetch, attempt.signal, clock)
      answered = true
      let watch: BodyWatch | undefined
      if (limiter) {
        const slot = { clock, sentAtMs, latencyOf, untilHeaders: slotUntil === 'headers' }
        ;({ watch, latencyMs } = watchSlot(response, attempt, slot))
      }
      return guardBody(response, attempt, {
        ...{ signal, idleMs: policy.bodyIdleMs, clock, watch },
        over: scope?.answered(response),
      })
    }
    const scope = scopeOf?.(source)
    const signal = scope?.signal ?? source.signal
    try {
      const response = await execute<Response>(send, {
        policy,
        clock,
        signal,
        method,
        inspect,
        rethrow: true,
        idempotent: options.idempotent,
        random: options.random,
        logger: options.logger,
        limiter,
        latencyOf: () => latencyMs,
        retryBudget: options.retryBudget,
        onGiveUp(event) {
          scope?.gaveUp(event)
          options.onGiveUp?.(event)
        },
        peek: (response) => peek(response, clock),
        release: (response) => release(response, clock),
        keyed: () => source.keyed,
        replayable: () => source.replayable,
        // What is thrown after an answer came is a fault of who reads it, and to send again would not help.
        failureOf: (error) => (answered ? { kind: 'final' } : failureOfFetch(error, source)),
        holdBack: scope?.holdBack((offline) => waiting.change(id, { offline })),
        onRetry(event) {
          const { class: kind, failure, attempt } = event
          const status = failure.kind === 'status' ? failure.status : null
          const untilMs = clock.wallNow() + event.waitMs
          const now = { class: kind, status, attempt, untilMs, inFlight: false, offline: false }
          waiting.add({ id, method, url: withoutSecrets(url), ...now })
          options.onRetry?.(event)
        },
      })
      scope?.settled(response)
      return response
    } catch (error) {
      scope?.settled(error)
      throw error
    } finally {
      waiting.delete(id)
    }
  }

  return Object.assign(call, {
    waiting,
    passed,
    with: (changes: CallOptions) => build(changed(options, changes, policy), waiting, passed, scopeOf),
  })
}

/** The options of a fetch that `.with()` makes. */
export function changed(
  options: FetchOptions,
  {
    idempotent = options.idempotent,
    idempotencyKey = options.idempotencyKey,
    onRetry = options.onRetry,
    onGiveUp = options.onGiveUp,
    ...changes
  }: CallOptions,
  policy: RetryPolicy,
): FetchOptions & { policy: RetryPolicy } {
  return { ...options, idempotent, idempotencyKey, onRetry, onGiveUp, policy: retryPolicy(changes, policy) }
}

/**
 * Browsers and workers say of a failed connection no more than `TypeError`; Deno gives it a cause that begins with
 * "error sending request" and has no code either (R3).
 */
const failureOfFetch = (error: unknown, source: RequestSource): Failure => {
  const failure = failureOf(error)
  if (failure.kind !== 'final' || !(error instanceof TypeError) || 'code' in error) return failure
  if (wasRetried(error)) return failure // R14
  const { cause = error } = error
  const said = cause instanceof Error && !('code' in cause) ? cause.message : 'a code that is not known'
  const connection =
    (cause === error || said.startsWith('error sending request')) && !/certificate|dns error/i.test(said)
  return connection && source.wellFormed ? { kind: 'connect' } : failure
}
