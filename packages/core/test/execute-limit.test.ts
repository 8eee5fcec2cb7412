import {
  AdaptiveSemaphore,
  type Attempt,
  DeadlineError,
  execute,
  isQueueTimeout,
  isThrottled,
  outcomeOf,
  QueueFullError,
  QueueTimeoutError,
  retryPolicy,
  type Slot,
  ThrottledError,
} from '@sluice/core'
import { VirtualClock } from '@sluice/core/testing'
import { describe, expect, test } from 'vitest'

const policy = retryPolicy({ baseMs: 0 })
const failing = (status: number, headers: Record<string, string> = {}): Error =>
  Object.assign(new Error(`HTTP ${status}`), { status, headers })

const setUp = (options: ConstructorParameters<typeof AdaptiveSemaphore>[0] = {}) => {
  const clock = new VirtualClock()
  const limiter = new AdaptiveSemaphore({ clock, maxConcurrent: 1, ...options })
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => void clock.timer(ms, resolve))
  const call = (operation: (attempt: Attempt) => Promise<unknown>, more: object = {}): Promise<unknown> =>
    execute(operation, { clock, limiter, policy, random: () => 0, ...more })
  return { clock, limiter, sleep, call }
}
const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('L12: a slot from send to end', () => {
  test('calls take turns, and nothing is in flight in the end', async () => {
    const { clock, limiter, sleep, call } = setUp()
    const begun: number[] = []
    const work = async (): Promise<void> => {
      begun.push(clock.now())
      await sleep(100)
    }
    await clock.run(Promise.all([call(work), call(work), call(work)]))
    expect(begun).toEqual([0, 100, 200])
    expect(limiter.snapshot()).toMatchObject({ inFlight: 0, queued: 0 })
    expect(clock.pending()).toBe(0)
  })

  test('none while a call waits between attempts: another one has it, and the retry has its old place', async () => {
    const { clock, sleep, call } = setUp()
    const order: string[] = []
    const first = async ({ attempt }: Attempt): Promise<void> => {
      order.push(`first ${attempt}`)
      await sleep(10)
      if (attempt === 1) throw failing(503, { 'retry-after-ms': '50' })
    }
    const work = (name: string) => async (): Promise<void> => {
      order.push(name)
      await sleep(100)
    }
    const calls = [call(first, { idempotent: true }), call(work('second')), call(work('third'))]
    await clock.run(Promise.all(calls))
    expect(order).toEqual(['first 1', 'second', 'first 2', 'third'])
  })

  test('whoever keeps it releases it', async () => {
    const { clock, limiter, call } = setUp()
    let slot: Slot | undefined
    await clock.run(
      call(async (attempt) => {
        slot = attempt.keepSlot()
      }),
    )
    expect(limiter.snapshot().inFlight).toBe(1)
    slot?.release()
    expect(limiter.snapshot().inFlight).toBe(0)
  })

  test('an attempt that failed keeps none, whoever took it over', async () => {
    const { clock, limiter, call } = setUp({ maxConcurrent: 8 })
    const first = async (attempt: Attempt): Promise<void> => {
      attempt.keepSlot()
      if (attempt.attempt < 3) throw failing(503)
    }
    await clock.run(call(first, { idempotent: true }))
    expect(limiter.snapshot().inFlight).toBe(1)
    const inspect = (status: number) =>
      status === 503 ? { kind: 'status', status, headers: { get: () => null } } : undefined
    const second = async (attempt: Attempt): Promise<number> => {
      attempt.keepSlot()
      return attempt.attempt < 3 ? 503 : 200
    }
    await clock.run(call(second, { idempotent: true, inspect }))
    expect(limiter.snapshot().inFlight).toBe(2)
  })

  test.each([
    [
      'a failure that surfaces',
      {},
      (attempt: Attempt) => {
        attempt.keepSlot()
        return Promise.reject(failing(404))
      },
    ],
    [
      'an operation that hangs',
      { policy: retryPolicy({ attemptTimeoutMs: 20, maxAttempts: 1 }) },
      () => new Promise(() => {}),
    ],
    [
      'an observer that throws',
      {
        onGiveUp: () => {
          throw new Error('no')
        },
      },
      () => Promise.reject(failing(404)),
    ],
    ['a deadline', { policy: retryPolicy({ deadlineMs: 20 }) }, () => new Promise(() => {})],
  ] as [string, object, (attempt: Attempt) => Promise<unknown>][])('freed by %s', async (_, options, operation) => {
    const { clock, limiter, call } = setUp()
    expect(await clock.run(caught(call(operation, options)))).toBeInstanceOf(Error)
    expect(limiter.snapshot().inFlight).toBe(0)
    expect(clock.pending()).toBe(0)
  })

  test('freed by an abort in flight; an abort in the queue leaves it', async () => {
    const { clock, limiter, call } = setUp()
    const [flying, waiting] = [new AbortController(), new AbortController()]
    const ends = Promise.all([
      caught(call(() => new Promise(() => {}), { signal: flying.signal })),
      caught(call(() => Promise.resolve('never'), { signal: waiting.signal })),
    ])
    clock.timer(5, () => waiting.abort('left'))
    clock.timer(9, () => flying.abort('stopped'))
    expect(await clock.run(ends)).toEqual(['stopped', 'left'])
    expect(limiter.snapshot()).toMatchObject({ inFlight: 0, queued: 0 })
  })
})

describe('L2: what is a sample', () => {
  /** One sample makes a window. */
  const p90After = async (
    operation: (attempt: Attempt) => Promise<unknown>,
    more: object = {},
  ): Promise<number | null> => {
    const { clock, limiter, call, sleep } = setUp({ minSamples: 1, windowMs: 1000 })
    await clock.run(caught(call(operation, more)))
    await clock.run(sleep(1000))
    return limiter.snapshot().p90Ms
  }
  test('the time of a success, the figure that the server gave, or none', async () => {
    const { clock, limiter, call, sleep } = setUp({ minSamples: 1, windowMs: 1000 })
    await clock.run(call(() => sleep(30)))
    await clock.run(sleep(1000))
    expect(limiter.snapshot().p90Ms).toBe(30)
    await clock.run(call(() => sleep(30), { latencyOf: () => 7 }))
    await clock.run(sleep(1000))
    expect(limiter.snapshot().p90Ms).toBe(7)
    await clock.run(call(() => sleep(500), { latencyOf: () => null }))
    await clock.run(sleep(1000))
    expect(limiter.snapshot().p90Ms).toBe(7) // no window counted
  })

  test('a timeout, of as long as it was waited for; no other failure', async () => {
    const hang = (): Promise<never> => new Promise(() => {})
    expect(await p90After(hang, { policy: retryPolicy({ attemptTimeoutMs: 40, maxAttempts: 1 }) })).toBe(40)
    expect(await p90After(hang, { policy: retryPolicy({ deadlineMs: 40 }) })).toBe(null)
    expect(await p90After(() => Promise.reject(failing(404)))).toBe(null)
    expect(await p90After(() => Promise.reject(failing(503)))).toBe(null)
  })

  test('L9, L12: a throttle that a retry absorbs halves all the same', async () => {
    const { clock, limiter, call } = setUp({ maxConcurrent: 8 })
    const once = ({ attempt }: Attempt): Promise<void> =>
      attempt === 1 ? Promise.reject(failing(429, { 'retry-after-ms': '0' })) : Promise.resolve()
    await clock.run(call(once))
    expect(limiter.snapshot()).toMatchObject({ limit: 4, holdUntil: null })
  })
})

describe('L10: a hold is for every call', () => {
  const holding = (ms: number) => () => Promise.reject(failing(429, { 'retry-after-ms': `${ms}` }))

  test('who waits is sent after it, and its time counts as waited', async () => {
    const { clock, call } = setUp({ maxConcurrent: 2 })
    await clock.run(caught(call(holding(5000), { policy: retryPolicy({ maxAttempts: 1 }) })))
    const inspect = (): undefined => undefined
    const value = await clock.run(call(async () => ({ at: clock.now() }), { inspect }))
    expect(value).toEqual({ at: 5000 })
    expect(outcomeOf(value)).toMatchObject({ attempts: 1, waitedMs: 5000 })
  })

  test('who cannot wait so long is told at once', async () => {
    const { clock, call } = setUp({ maxConcurrent: 2 })
    const told: unknown[] = []
    await clock.run(caught(call(holding(5000), { policy: retryPolicy({ maxAttempts: 1 }) })))
    for (const bound of [
      { perAttemptCapMs: 4999 },
      { totalCapMs: 4999 },
      { deadlineMs: 4999 },
      { throttleBudgetMs: 4999 },
    ]) {
      const never = (): Promise<never> => expect.unreachable()
      const onGiveUp = (event: unknown): void => void told.push(event)
      const error = await clock.run(caught(call(never, { policy: retryPolicy(bound), onGiveUp })))
      expect(error).toBeInstanceOf(ThrottledError)
      expect(error).toMatchObject({ reason: 'held', retryAfterMs: 5000, attempts: 0, waitedMs: 0, status: null })
    }
    expect(told[0]).toEqual({
      reason: 'held',
      retryAfterMs: 5000,
      attempts: 0,
      waitedMs: 0,
      failure: null,
      class: 'throttle',
    })
    expect(told).toHaveLength(4)
  })

  test('held time counts against the cap of later waits', async () => {
    const { clock, call } = setUp({ maxConcurrent: 2 })
    await clock.run(caught(call(holding(5000), { policy: retryPolicy({ maxAttempts: 1 }) })))
    const error = await clock.run(caught(call(holding(1001), { policy: retryPolicy({ totalCapMs: 6000 }) })))
    expect(error).toMatchObject({ reason: 'total_over_cap', attempts: 1, waitedMs: 5000 })
  })

  test('a retry that is held by another call says how far it came', async () => {
    const { clock, limiter, call } = setUp({ maxConcurrent: 2 })
    const first = call(() => Promise.reject(failing(503, { 'retry-after-ms': '100' })), { idempotent: true })
    clock.timer(50, () => limiter.report({ kind: 'throttle', retryAfterMs: 20_000 }))
    expect(await clock.run(caught(first))).toMatchObject({
      ...{ name: 'ThrottledError', reason: 'held', retryAfterMs: 19_950, attempts: 1, waitedMs: 100, status: 503 },
      cause: { name: 'TransientError' },
    })
  })
})

describe('L13: the queue', () => {
  const forever = (): Promise<never> => new Promise(() => {})

  test('full, and timed out, as the end of the call', async () => {
    const { clock, call } = setUp({ maxQueue: 1, queueTimeoutMs: 300 })
    const ends = Promise.race([caught(call(forever)), Promise.all([caught(call(forever)), caught(call(forever))])])
    const [timedOut, full] = (await clock.run(ends)) as [Error, Error]
    expect(timedOut).toBeInstanceOf(QueueTimeoutError)
    expect(outcomeOf(timedOut)).toEqual({ attempts: 0, waitedMs: 300, reason: 'queue_timeout', retryAfterMs: null })
    expect(full).toBeInstanceOf(QueueFullError)
    expect(outcomeOf(full)).toEqual({ attempts: 0, waitedMs: 0, reason: 'queue_full', retryAfterMs: null })
  })

  test('R12: a retry that times out there has its last failure as cause', async () => {
    const { clock, limiter, call } = setUp({ queueTimeoutMs: 300 })
    const first = call(() => Promise.reject(failing(429, { 'retry-after-ms': '100' })))
    clock.timer(50, () => void limiter.acquire())
    const error = await clock.run(caught(first))
    expect([isQueueTimeout(error), isThrottled(error)]).toEqual([true, true])
    expect(error).toMatchObject({ cause: { status: 429, attempts: 1 } })
  })

  test('R10: a deadline passes there too', async () => {
    const { clock, limiter, call } = setUp()
    void limiter.acquire()
    const error = await clock.run(caught(call(forever, { policy: retryPolicy({ deadlineMs: 200 }) })))
    expect(error).toBeInstanceOf(DeadlineError)
    expect(error).toMatchObject({ attempts: 0, waitedMs: 200 })
    expect(limiter.snapshot().queued).toBe(0)
  })
})
