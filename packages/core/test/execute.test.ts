import {
  AttemptTimeoutError,
  background,
  DeadlineError,
  execute,
  interactive,
  isThrottled,
  isTransient,
  outcomeOf,
  retryAfterMs,
  retryPolicy,
  ThrottledError,
  TransientError,
} from '@sluice/core'
import { VirtualClock } from '@sluice/core/testing'
import { describe, expect, test } from 'vitest'

const failing = (status: number, headers: Record<string, string> = {}): Error =>
  Object.assign(new Error(`HTTP ${status}`), { status, headers })

/** Runs to its end on virtual time; answers what it threw. */
const thrown = (clock: VirtualClock, call: Promise<unknown>): Promise<unknown> =>
  clock.run(
    call.then(
      () => undefined,
      (error: unknown) => error,
    ),
  )

describe('R14: what the caller sees', () => {
  test('a throttle to the end is a ThrottledError with all that is known', async () => {
    const clock = new VirtualClock()
    const cause = failing(429, { 'retry-after': '2' })
    const error = await thrown(
      clock,
      execute(() => Promise.reject(cause), { clock, policy: retryPolicy() }),
    )
    expect(error).toBeInstanceOf(ThrottledError)
    expect(error).toMatchObject({
      name: 'ThrottledError',
      message: 'rate limited after 4 attempts (attempts_exhausted); server asked to retry in 2000 ms',
      ...{ status: 429, attempts: 4, waitedMs: 6000, reason: 'attempts_exhausted', retryAfterMs: 2000, cause },
    })
    expect(outcomeOf(error)).toEqual({ attempts: 4, waitedMs: 6000, reason: 'attempts_exhausted', retryAfterMs: 2000 })
    expect([isThrottled(error), isTransient(error), retryAfterMs(error)]).toEqual([true, false, 2000])
  })

  test('a failure that may pass and did not is a TransientError', async () => {
    const clock = new VirtualClock()
    const error = await thrown(
      clock,
      execute(() => Promise.reject(failing(503)), { clock, idempotent: true, random: () => 0 }),
    )
    expect(error).toBeInstanceOf(TransientError)
    expect(error).toMatchObject({
      message: 'HTTP 503 after 4 attempts (attempts_exhausted)',
      kind: 'status',
      status: 503,
    })
  })

  test('the last connection failure is told as such, with the last status received', async () => {
    const clock = new VirtualClock()
    let sends = 0
    const operation = () =>
      Promise.reject(++sends < 4 ? failing(503) : Object.assign(new Error(), { code: 'ECONNRESET' }))
    const error = await thrown(clock, execute(operation, { clock, method: 'get' }))
    expect(error).toMatchObject({
      message: 'connection failed after 4 attempts (attempts_exhausted)',
      kind: 'connect',
      status: 503,
    })
  })

  test('a final failure is thrown unchanged, with its outcome', async () => {
    const cause = new RangeError('a bug')
    const call = execute(() => Promise.reject(cause), { idempotent: true })
    await expect(call).rejects.toBe(cause)
    expect(outcomeOf(cause)).toEqual({ attempts: 1, waitedMs: 0, reason: 'not_retryable', retryAfterMs: null })
  })

  test('a frozen error and one that is no object are thrown all the same', async () => {
    const frozen = Object.freeze(new Error('frozen'))
    await expect(execute(() => Promise.reject(frozen))).rejects.toBe(frozen)
    await expect(execute(() => Promise.reject('a string'))).rejects.toBe('a string')
  })

  test('one policy inside another sends 4 times, not 16', async () => {
    const clock = new VirtualClock()
    let sends = 0
    const inner = () =>
      execute(
        () => {
          sends++
          throw failing(503)
        },
        { clock, idempotent: true },
      )
    const error = await thrown(clock, execute(inner, { clock, idempotent: true }))
    expect(sends).toBe(4)
    expect(error).toMatchObject({ name: 'TransientError', attempts: 4 })
  })

  test('an inner layer that did not retry leaves the retries to the outer one', async () => {
    const clock = new VirtualClock()
    let sends = 0
    const inner = () =>
      execute(
        () => {
          sends++
          throw failing(503)
        },
        { clock, method: 'POST' },
      )
    await thrown(clock, execute(inner, { clock, idempotent: true }))
    expect(sends).toBe(4)
  })

  test('headers are on the error and not in its print: they may hold cookies', async () => {
    const { inspect } = await import('node:util')
    const error = await execute(() => Promise.reject(failing(503, { 'set-cookie': 'secret' }))).catch((e) => e)
    const ours = new ThrottledError({
      ...outcomeOf(error),
      attempts: 1,
      waitedMs: 0,
      reason: null,
      retryAfterMs: null,
      status: 429,
      headers: new Headers({ 'set-cookie': 'secret' }),
    })
    expect(ours.headers?.get('set-cookie')).toBe('secret')
    expect(inspect(ours) + JSON.stringify(ours)).not.toContain('secret')
  })
})

describe('R10: bounds of one attempt and of the call', () => {
  test('each attempt gets the whole timeout, and the last one surfaces', async () => {
    const clock = new VirtualClock()
    const policy = retryPolicy({ attemptTimeoutMs: 1000, baseMs: 0 })
    const error = await thrown(
      clock,
      execute(() => new Promise(() => {}), { clock, policy, idempotent: true }),
    )
    expect(error).toBeInstanceOf(AttemptTimeoutError)
    expect(outcomeOf(error)).toMatchObject({ attempts: 4, reason: 'attempts_exhausted' })
    expect(clock.now()).toBe(4000)
  })

  test('the deadline cancels an attempt in flight; its cause is the last failure, without a body', async () => {
    const clock = new VirtualClock()
    const policy = retryPolicy({ deadlineMs: 1500 })
    let sends = 0
    const operation = (): Promise<Response> | Response =>
      ++sends === 1 ? new Response('body', { status: 429, headers: { 'retry-after': '1' } }) : new Promise(() => {})
    const error = await thrown(
      clock,
      execute(operation, {
        ...{ clock, policy },
        inspect: ({ status, headers }) => (status < 400 ? undefined : { kind: 'status', status, headers }),
      }),
    )
    expect(clock.now()).toBe(1500)
    expect(error).toBeInstanceOf(DeadlineError)
    expect(error).toMatchObject({
      message: 'deadline of 1500 ms passed after 2 attempts',
      status: 429,
      retryAfterMs: 1000,
    })
    expect((error as Error).cause).toMatchObject({ name: 'ThrottledError', status: 429 })
    expect(isThrottled(error)).toBe(true)
  })

  test('a classification that never ends is given up at the attempt timeout', async () => {
    const clock = new VirtualClock()
    const policy = retryPolicy({ classify: () => new Promise(() => {}), attemptTimeoutMs: 300, maxAttempts: 1 })
    const error = await thrown(
      clock,
      execute(() => Promise.reject(failing(429)), { clock, policy }),
    )
    expect(error).toBeInstanceOf(ThrottledError)
    expect(clock.now()).toBe(300)
  })
})

test('R15: each throttle-budget wait is one warning, other retries are debug lines', async () => {
  const clock = new VirtualClock()
  const lines: string[] = []
  const logger = {
    warn: (line: string) => lines.push(`warn ${line}`),
    debug: (line: string) => lines.push(`debug ${line}`),
  }
  const answers = [failing(429, { 'retry-after': '2' }), failing(503)]
  const operation = () => {
    const answer = answers.shift()
    if (answer) throw answer
    return 'done'
  }
  await clock.run(execute(operation, { clock, logger, policy: background, idempotent: true, random: () => 0 }))
  expect(lines).toEqual([
    'warn rate limited; retrying in 2000 ms (attempt 2)',
    'debug HTTP 503; retrying in 100 ms (attempt 3)',
  ])
})

test('R18: a step of the wall clock changes no wait that has begun', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1))
  const date = new Date(Date.UTC(2026, 0, 1, 0, 0, 5)).toUTCString()
  let sends = 0
  const call = execute(
    () => {
      if (++sends === 1) throw failing(429, { 'retry-after': date })
      return clock.now()
    },
    { clock, policy: retryPolicy() },
  )
  await clock.advance(1000)
  clock.setWall(Date.UTC(2030, 0, 1))
  expect(await clock.run(call)).toBe(5000)
})

test('the operation learns which attempt it is, and a failed attempt is told when its wait is over', async () => {
  const clock = new VirtualClock()
  const seen: { attempt: number; signal: AbortSignal }[] = []
  await thrown(
    clock,
    execute(
      ({ attempt, signal }) => {
        seen.push({ attempt, signal })
        throw failing(503)
      },
      { clock, policy: interactive, idempotent: true },
    ),
  )
  expect(seen.map(({ attempt, signal }) => [attempt, signal.aborted])).toEqual([
    [1, true],
    [2, true],
    [3, true],
    [4, false],
  ])
})

describe('holdBack (U3)', () => {
  /** Fails so many times, and then succeeds; keeps its retries back for so long, or until told. */
  const holding = (failures: number, freeAfterMs: number | null) => {
    const clock = new VirtualClock()
    const asked: unknown[] = []
    const sentAtMs: number[] = []
    let takenBack = 0
    const operation = async () => {
      if (sentAtMs.push(clock.now()) <= failures) throw failing(503)
      return 'done'
    }
    const options = {
      ...{ clock, idempotent: true, policy: retryPolicy({ baseMs: 100, totalCapMs: 1000 }), random: () => 0.5 },
      holdBack(failure: unknown, go: () => void) {
        asked.push(failure)
        if (freeAfterMs === null) return undefined
        const cancel = clock.timer(freeAfterMs, go)
        return () => {
          takenBack++
          cancel()
        }
      },
    }
    const call = (signal?: AbortSignal) => execute(operation, { ...options, signal })
    return { call, clock, asked, sentAtMs, takenBack: () => takenBack }
  }

  test('is asked at the end of each wait, with the failure, and its time counts as waited', async () => {
    const { call, clock, asked, sentAtMs, takenBack } = holding(2, 300)
    expect(await clock.run(call())).toBe('done')
    expect(asked).toMatchObject([
      { kind: 'status', status: 503 },
      { kind: 'status', status: 503 },
    ])
    expect(sentAtMs).toEqual([0, 350, 750])
    expect([takenBack(), clock.pending()]).toEqual([2, 0])
  })

  test('holds nothing back for longer than the total cap leaves', async () => {
    const { call, clock, sentAtMs, takenBack } = holding(9, 5000)
    expect(await thrown(clock, call())).toMatchObject({ attempts: 2, waitedMs: 1000, reason: 'total_over_cap' })
    expect(sentAtMs).toEqual([0, 1000])
    expect([takenBack(), clock.pending()]).toEqual([1, 0])
  })

  test('that answers nothing changes nothing', async () => {
    const { call, clock, sentAtMs } = holding(1, null)
    expect(await clock.run(call())).toBe('done')
    expect(sentAtMs).toEqual([0, 50])
  })

  test('an abort ends it, and takes it back', async () => {
    const { call, clock, sentAtMs, takenBack } = holding(1, 300)
    const controller = new AbortController()
    const error = thrown(clock, call(controller.signal))
    clock.timer(200, () => controller.abort('enough'))
    expect(await error).toBe('enough')
    expect([sentAtMs, takenBack(), clock.pending()]).toEqual([[0], 1, 0])
  })
})
