import { type Attempt, execute, type Failure, failureOf, interactive, retryPolicy, systemClock } from '@sluice/core'
import { checkedPolicy, wasRetried } from '@sluice/core/adapter'
import { checkOptions } from './check-options.js'
import { inspect, peek, release } from './failed-response.js'
import { type BodyWatch, guardBody } from './guard-body.js'
import { withIdempotencyKey } from './idempotency-key.js'
import { watchSlot } from './latency/slot-watch.js'
import { limiterOf } from './limiter-of.js'
import type { CallOptions, FetchOptions, SluiceFetch } from './options.js'
import { RequestSource } from './request-source.js'
import { WaitingStore } from './waiting-calls.js'

/**
 * Makes a fetch that backs off: same arguments, same answers, the policy inside.
 *
 * A call resolves with the last `Response`, whatever its status (S4); it rejects where there was none, with what the
 * platform's fetch threw, an AttemptTimeoutError, a DeadlineError, or the caller's own abort reason. How it went is in
 * `outcomeOf(response or error)`.
 *
 * @throws TypeError for an option there is none of, or a policy that was not made by `retryPolicy()`
 */
export function createFetch(options: FetchOptions = {}): SluiceFetch {
  return build(options, new WaitingStore(), { count: 0 })
}

let lastId = 0

function build(options: FetchOptions, waiting: WaitingStore, passed: { count: number }): SluiceFetch {
  checkOptions(options)
  const { clock = systemClock, idempotencyKey, limit, latencyOf, slotUntil } = options
  const policy = checkedPolicy(options.policy ?? interactive, 'createFetch')
  const mayRetry = policy.maxAttempts > 1 || policy.throttleBudgetMs !== null
  const keepBytes = mayRetry ? policy.maxReplayBytes : null

  const call = async (input: string | URL | Request, given?: RequestInit): Promise<Response> => {
    const id = ++lastId
    const init = idempotencyKey ? withIdempotencyKey(input, given, idempotencyKey) : given
    const source = new RequestSource(input, init, keepBytes)
    const { signal, method, url } = source
    const passes = limit !== undefined && options.letPast?.(url, method) === true
    if (passes) passed.count++
    const limiter = passes ? undefined : limiterOf(options, url, method)
    let latencyMs: number | null | undefined
    const send = async (attempt: Attempt): Promise<Response> => {
      waiting.delete(id)
      const sentAtMs = limiter ? clock.now() : 0
      const response = await source.send(options.fetch ?? globalThis.fetch, attempt.signal)
      let watch: BodyWatch | undefined
      if (limiter) {
        const slot = { clock, sentAtMs, latencyOf, untilHeaders: slotUntil === 'headers' }
        ;({ watch, latencyMs } = watchSlot(response, attempt, slot))
      }
      return guardBody(response, attempt, { signal, idleMs: policy.bodyIdleMs, clock, watch })
    }
    try {
      return await execute<Response>(send, {
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
        onGiveUp: options.onGiveUp,
        peek: (response) => peek(response, clock),
        release: (response) => release(response, clock),
        keyed: () => source.keyed,
        replayable: () => source.replayable,
        failureOf: (error) => failureOfFetch(error, source),
        onRetry(event) {
          const untilMs = clock.wallNow() + event.waitMs
          waiting.add({ id, method, url: withoutSecrets(url), class: event.class, attempt: event.attempt, untilMs })
          options.onRetry?.(event)
        },
      })
    } finally {
      waiting.delete(id)
    }
  }

  return Object.assign(call, {
    waiting,
    passed,
    with({
      idempotent = options.idempotent,
      idempotencyKey = options.idempotencyKey,
      onRetry = options.onRetry,
      onGiveUp = options.onGiveUp,
      ...changes
    }: CallOptions): SluiceFetch {
      const changed = { idempotent, idempotencyKey, onRetry, onGiveUp, policy: retryPolicy(changes, policy) }
      return build({ ...options, ...changed }, waiting, passed)
    },
  })
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

const withoutSecrets = (url: string): string => {
  try {
    const { protocol, host, pathname } = new URL(url)
    return `${protocol}//${host}${pathname}`
  } catch {
    return url.replace(/[?#].*/s, '') // relative: the page's own
  }
}
