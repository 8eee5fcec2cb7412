import {
  execute,
  failureOf,
  type GiveUpEvent,
  github,
  outcomeOf,
  RetryBudget,
  retryAfterMs,
  retryPolicy,
} from '@sluice/core'
import { VirtualClock } from '@sluice/core/testing'
import { describe, expect, test } from 'vitest'

const throttled = (): Response => new Response('no', { status: 429, headers: { 'retry-after': '1' } })
const inspect = ({ status, headers }: Response) =>
  status < 400 ? undefined : ({ kind: 'status', status, headers } as const)
const failing = (status: number, headers: unknown): Error => Object.assign(new Error('x'), { status, headers })

describe('headers whose readers answer undefined, such as a Map', () => {
  test('what is not there counts as not there', async () => {
    const forbidden = failing(403, new Map([['content-type', 'text/plain']]))
    await expect(execute(() => Promise.reject(forbidden), { policy: github })).rejects.toBe(forbidden)
    expect(retryAfterMs(failing(429, new Map([['ratelimit-reset', '3']])))).toBe(3000)
    const date = 'Sun, 29 Nov 2026 12:00:00 GMT'
    const later = 'Sun, 29 Nov 2026 12:00:05 GMT'
    expect(retryAfterMs(failing(429, new Map(Object.entries({ date, 'retry-after': later }))))).toBe(5000)
  })
})

describe('errors of odd shapes', () => {
  test('one that holds itself as headers, a code that is no string, 200 000 members, a chain of 150', () => {
    const own = failing(503, undefined) as Error & { headers?: unknown }
    own.headers = own
    expect(failureOf(own)).toMatchObject({ kind: 'status', status: 503 })
    expect(failureOf(Object.assign(new Error('x'), { code: Object.create(null) }))).toEqual({ kind: 'final' })
    const many = new AggregateError(Array.from({ length: 200_000 }, () => new Error('x')))
    expect(failureOf(many)).toEqual({ kind: 'final' })
    let deep: Error = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
    for (let i = 0; i < 150; i++) deep = new Error('around', { cause: deep })
    expect(failureOf(deep)).toEqual({ kind: 'connect' })
  })

  test('undefined, thrown, is thrown as it is and is no deadline', async () => {
    const ends: GiveUpEvent[] = []
    const call = execute(() => Promise.reject(undefined), { onGiveUp: (event) => ends.push(event) })
    expect(await call.catch((error) => [error])).toEqual([undefined])
    expect(ends).toMatchObject([{ reason: 'not_retryable' }])
  })

  test('headers that two results share do not make the second one look retried', async () => {
    const clock = new VirtualClock()
    const headers = new Headers()
    let sends = 0
    const call = () =>
      clock.run(
        execute(() => ({ sends: ++sends, headers }), {
          ...{ clock, idempotent: true, policy: retryPolicy() },
          inspect: () => ({ kind: 'status', status: 503, headers }),
        }),
      )
    await call()
    await call()
    expect(sends).toBe(8)
  })
})

describe('observers and classify that throw', () => {
  /** What was let go of, and how often the end was told. */
  const run = async (options: Parameters<typeof execute<Response>>[1]) => {
    const clock = new VirtualClock()
    const released: Response[] = []
    let signal: AbortSignal | undefined
    const operation = (attempt: { signal: AbortSignal }): Response => {
      signal = attempt.signal
      return throttled()
    }
    const call = execute(operation, {
      ...{ clock, inspect, policy: retryPolicy({ maxAttempts: 2 }), release: (value) => void released.push(value) },
      ...options,
    })
    const error = await clock.run(call.catch((error: unknown) => error))
    return { error, released: released.length, aborted: signal?.aborted, timers: clock.pending() }
  }
  const fault = new Error('a fault of the caller')
  const fail = (): never => {
    throw fault
  }

  test.each([
    ['onRetry', { onRetry: fail }, 1],
    ['onGiveUp', { onGiveUp: fail }, 2],
    ['classify', { policy: retryPolicy({ classify: fail }) }, 1],
    ['the logger', { logger: { warn: fail, debug: fail } }, 1],
  ])('%s: the call ends with that, and nothing stays open', async (_, options, released) => {
    expect(await run(options)).toEqual({ error: fault, released, aborted: true, timers: 0 })
  })

  test('a class that is none is refused', async () => {
    const classify = () => ({ class: 'bogus' as 'final' })
    const { error } = await run({ policy: retryPolicy({ classify }) })
    expect(error).toEqual(new TypeError('classify answered bogus; it must be throttle, transient or final'))
  })

  test('release that throws is of no consequence', async () => {
    expect(await run({ release: fail })).toMatchObject({ error: expect.any(Response), timers: 0 })
  })

  test('onGiveUp that aborts is told once, and the failure stands', async () => {
    const controller = new AbortController()
    const reasons: unknown[] = []
    const failure = new Error('final')
    const call = execute(() => Promise.reject(failure), {
      signal: controller.signal,
      onGiveUp: ({ reason }) => {
        reasons.push(reason)
        controller.abort('r')
      },
    })
    await expect(call).rejects.toBe(failure)
    expect(reasons).toEqual(['not_retryable'])
  })
})

describe('time', () => {
  test('H3: a date is compared with the time of the answer, not with the end of a slow classification', async () => {
    const clock = new VirtualClock(Date.UTC(2026, 10, 29, 12, 0, 0))
    const headers = new Headers({ 'retry-after': 'Sun, 29 Nov 2026 12:00:05 GMT' })
    const classify = (): Promise<undefined> => new Promise((resolve) => clock.timer(2000, () => resolve(undefined)))
    const error = await clock.run(
      execute(() => Promise.reject(failing(429, headers)), {
        ...{ clock, policy: retryPolicy({ classify, maxAttempts: 1 }) },
      }).catch((error: unknown) => error),
    )
    expect(outcomeOf(error)).toMatchObject({ retryAfterMs: 5000 })
  })

  test('a classification is bounded by the shorter of attempt timeout and deadline, and where there is neither', async () => {
    const classify = (): Promise<never> => new Promise(() => {})
    for (const [options, ms] of [
      [{ attemptTimeoutMs: 1000, deadlineMs: 600_000 }, 1000],
      [{ attemptTimeoutMs: 60_000, deadlineMs: 2000 }, 2000],
      [{}, 10_000],
    ] as const) {
      const clock = new VirtualClock()
      const policy = retryPolicy({ classify, maxAttempts: 1, ...options })
      await clock.run(execute(() => Promise.reject(failing(429, {})), { clock, policy }).catch(() => {}))
      expect(clock.now()).toBe(ms)
    }
  })

  test('a retry budget earns no second twice, and two advances at once never go back', async () => {
    const budget = new RetryBudget()
    for (let i = 0; i < 10; i++) budget.take(5000)
    budget.tokens(0)
    expect(budget.tokens(5000)).toBe(0)
    const clock = new VirtualClock()
    await Promise.all([clock.advance(100), clock.advance(50)])
    expect(clock.now()).toBe(100)
  })
})
