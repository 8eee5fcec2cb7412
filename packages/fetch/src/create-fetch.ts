import { execute, type Failure, failureOf, interactive, outcomeOf, retryPolicy, systemClock } from '@sluice/core'
import { inspect, peek, release } from './failed-response.js'
import { guardBody } from './guard-body.js'
import type { CallOptions, FetchOptions, SluiceFetch } from './options.js'
import { type RequestSource, requestSource } from './request-source.js'
import { WaitingStore } from './waiting-calls.js'

/**
 * Makes a fetch that backs off: same arguments, same answers, the policy inside.
 *
 * A call resolves with the last `Response`, whatever its status; it rejects where there was none, with what the
 * platform's fetch threw, an AttemptTimeoutError, a DeadlineError, or the caller's own abort reason. How it went is in
 * `outcomeOf(response or error)`.
 */
export function createFetch(options: FetchOptions = {}): SluiceFetch {
  return build(options, new WaitingStore())
}

let lastId = 0

function build(options: FetchOptions, waiting: WaitingStore): SluiceFetch {
  const { policy = interactive, clock = systemClock } = options
  const mayRetry = policy.maxAttempts > 1 || policy.throttleBudgetMs !== null

  const call = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const id = ++lastId
    const source = requestSource(input, init, options.idempotencyKey, mayRetry ? policy.maxReplayBytes : 0)
    const { signal, method, keyed } = source
    try {
      return await execute<Response>(
        async (attempt) => {
          waiting.delete(id)
          const response = await source.send(options.fetch ?? globalThis.fetch, attempt.signal)
          return guardBody(response, attempt, { signal, idleMs: policy.bodyIdleMs, clock })
        },
        {
          ...options,
          signal,
          method,
          keyed,
          replayable: source.replayable,
          inspect,
          failureOf: (error) => failureOfFetch(error, source),
          rethrow: true,
          peek,
          release,
          onRetry(event) {
            const untilMs = clock.wallNow() + event.waitMs
            waiting.add({
              id,
              method,
              url: withoutSecrets(source.url),
              class: event.class,
              attempt: event.attempt,
              untilMs,
            })
            options.onRetry?.(event)
          },
        },
      )
    } finally {
      waiting.delete(id)
    }
  }

  return Object.assign(call, {
    waiting,
    with({ idempotent, idempotencyKey, onRetry, onGiveUp, ...changes }: CallOptions): SluiceFetch {
      const given = Object.entries({ idempotent, idempotencyKey, onRetry, onGiveUp }).filter(
        ([, value]) => value !== undefined,
      )
      return build({ ...options, ...Object.fromEntries(given), policy: retryPolicy(changes, policy) }, waiting)
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
  if ((outcomeOf(error)?.attempts ?? 1) > 1) return failure // R14: an inner layer has retried it
  const { cause = error } = error
  const said = cause instanceof Error && !('code' in cause) ? cause.message : 'a code that is not known'
  const connection =
    (cause === error || said.startsWith('error sending request')) && !/certificate|dns error/i.test(said)
  return connection && source.wellFormed() ? { kind: 'connect' } : failure
}

const withoutSecrets = (url: string): string => url.replace(/\/\/[^/?#]*@/, '//').replace(/[?#].*/s, '')
