import { AsyncLocalStorage } from 'node:async_hooks'
import {
  AdaptiveSemaphore,
  isQueueFull,
  isQueueTimeout,
  isThrottled,
  type LimitEvent,
  retryAfterMs,
  ThrottledError,
} from '@sluice/core'
import { VirtualClock } from '@sluice/core/testing'
import { describe, expect, test, vi } from 'vitest'

const made = (options = {}) => {
  const clock = new VirtualClock()
  return { clock, limiter: new AdaptiveSemaphore({ clock, maxConcurrent: 1, ...options }) }
}
const failure = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => Promise.reject(new Error('it did not fail')),
    (error) => error,
  )
const sleep = (clock: VirtualClock, ms: number) => new Promise<void>((resolve) => void clock.timer(ms, resolve))

describe('run', () => {
  test('a task that succeeds is a sample of as long as it took; one that fails is none', async () => {
    const { clock, limiter } = made({ minSamples: 1 })
    expect(await clock.run(limiter.run(() => sleep(clock, 70).then(() => 'done')))).toBe('done')
    const thrown = new Error('no')
    expect(await failure(limiter.run(() => Promise.reject(thrown)))).toBe(thrown)
    expect(await failure(limiter.run(() => { throw thrown }))).toBe(thrown) // biome-ignore format: short
    await clock.advance(10_000)
    expect(limiter.snapshot()).toMatchObject({ p90Ms: 70, inFlight: 0 })
  })

  test('a task that reports for itself is measured by that', async () => {
    const { clock, limiter } = made({ minSamples: 1 })
    const task = limiter.run(async (slot) => {
      await sleep(clock, 70)
      slot.report({ kind: 'success', latencyMs: 5 })
    })
    await clock.run(task)
    await clock.advance(10_000)
    expect(limiter.snapshot().p90Ms).toBe(5)
  })

  test('L13: an abort between the slot and the task gives the slot back', async () => {
    const { limiter } = made()
    const controller = new AbortController()
    const slot = limiter.tryAcquire()
    const task = vi.fn()
    const running = failure(limiter.run(task, { signal: controller.signal }))
    slot?.release() // it has the slot now, and does not know it yet
    controller.abort('changed my mind')
    expect(await running).toBe('changed my mind')
    expect(task).not.toHaveBeenCalled()
    expect(limiter.snapshot()).toMatchObject({ inFlight: 0, queued: 0 })
  })
})

test('a task runs in the asynchronous context of who asked for it, whoever made room', async () => {
  const { limiter } = made()
  const context = new AsyncLocalStorage<string>()
  const first = context.run('first', () => limiter.run(async () => context.getStore()))
  const waiting = context.run('waiting', () => limiter.run(async () => context.getStore()))
  expect(limiter.snapshot().queued).toBe(1)
  expect(await Promise.all([first, waiting])).toEqual(['first', 'waiting'])
})

describe('L13: the queue', () => {
  test('a full one: QueueFullError, which says what to do', async () => {
    const { limiter } = made({ maxQueue: 0 })
    await limiter.acquire()
    const error = await failure(limiter.acquire())
    expect(error.message).toBe(
      'too many calls are waiting for a slot (0); make fewer calls at a time, or raise maxQueue',
    )
    expect([isQueueFull(error), isQueueTimeout(error), isThrottled(error)]).toEqual([true, false, false])
    expect(error).toMatchObject({ name: 'QueueFullError', maxQueue: 0 })
  })

  test('a long wait: QueueTimeoutError', async () => {
    const { clock, limiter } = made({ queueTimeoutMs: 250 })
    await limiter.acquire()
    const waiting = failure(limiter.acquire())
    await clock.advance(250)
    const error = await waiting
    expect(error.message).toBe('waited 250 ms for a slot and got none')
    expect([isQueueFull(error), isQueueTimeout(error)]).toEqual([false, true])
    expect(clock.pending()).toBe(0)
  })

  test('a slot that is given back in the millisecond of the timeout wins, also where its timer was set later', async () => {
    const { clock, limiter } = made({ queueTimeoutMs: 250 })
    const slot = await limiter.acquire()
    const waiting = limiter.acquire()
    await clock.advance(100)
    clock.timer(150, () => slot.release()) // the timeout’s timer is the elder
    await clock.advance(150)
    expect(await waiting).toBeDefined()
  })

  test('an abort rejects with the signal’s reason itself, and takes its listener back', async () => {
    const { clock, limiter } = made()
    await limiter.acquire()
    const { signal, ...controller } = { signal: new AbortController().signal }
    expect(controller).toEqual({})
    const one = new AbortController()
    const removed = vi.spyOn(one.signal, 'removeEventListener')
    const waiting = failure(limiter.acquire({ signal: one.signal }))
    void failure(limiter.acquire({ signal })).catch(() => {})
    const reason = { why: 'left' }
    one.abort(reason)
    expect(await waiting).toBe(reason)
    expect(removed).toHaveBeenCalledTimes(1)
    expect(await failure(limiter.acquire({ signal: one.signal }))).toBe(reason)
    limiter.dispose()
    expect(clock.pending()).toBe(0)
  })

  test('several of one caller leave together: none of them starts in the place of another', async () => {
    const { clock, limiter } = made({ maxConcurrent: 4, queueTimeoutMs: 10_000 })
    limiter.report({ kind: 'throttle', retryAfterMs: 5000 }) // two start over the second after it
    const shared = new AbortController()
    const ends: string[] = []
    const ask = (name: string, signal?: AbortSignal): void => {
      const end = (how: string): unknown => ends.push(`${name} ${how} ${clock.now()}`)
      limiter.acquire({ signal }).then(
        () => end('started'),
        (error: Error) => end(error.message),
      )
    }
    for (const name of ['a', 'b', 'c']) ask(name, shared.signal)
    ask('d')
    await clock.advance(5100)
    expect(ends).toEqual(['a started 5000'])
    shared.abort(new Error('left'))
    await clock.advance(0)
    expect(ends.slice(1)).toEqual(['b left 5100', 'c left 5100']) // and none of them has a slot
    for (const name of ['w', 'x', 'y', 'z']) ask(name) // as many as what comes back of the limit, and two more
    await clock.advance(3000)
    ask('later')
    await clock.advance(7000) // each its own time, the eldest first
    expect(ends.slice(6)).toEqual(['y', 'z'].map((name) => `${name} waited 10000 ms for a slot and got none 15100`))
    limiter.dispose()
  })

  test('to leave it costs the same however many wait', async () => {
    const { limiter } = made({ maxQueue: 100_000 })
    await limiter.acquire()
    const callers = Array.from({ length: 40_000 }, () => {
      const controller = new AbortController()
      limiter.acquire({ signal: controller.signal }).catch(() => {})
      return controller
    })
    const begun = performance.now()
    // From the middle outwards: neither end is near.
    for (let i = 0; i < callers.length; i++) callers[(i * 7919 + 20_000) % callers.length]?.abort()
    expect(limiter.snapshot().queued).toBe(0)
    expect(performance.now() - begun).toBeLessThan(5000) // some µs each; with a search in an array it takes minutes
  })
})

describe('L10: holds', () => {
  test('who cannot be held so long gets a ThrottledError that tells the rest of it', async () => {
    const { clock, limiter } = made()
    limiter.report({ kind: 'throttle', retryAfterMs: 5000 })
    await clock.advance(1000)
    const error = await failure(limiter.acquire({ maxHeldMs: 3999 }))
    expect(error).toBeInstanceOf(ThrottledError)
    expect(error).toMatchObject({ reason: 'held', attempts: 0, waitedMs: 0, status: null })
    expect([isThrottled(error), retryAfterMs(error)]).toEqual([true, 4000])
    const byDeadline = failure(limiter.acquire({ endsAtMs: 4999 }))
    expect(await byDeadline).toMatchObject({ reason: 'held', retryAfterMs: 4000 })
    const inTime = limiter.acquire({ endsAtMs: 5000 })
    await clock.advance(4000)
    expect(await inTime).toBeDefined()
  })

  test('who was held for a while is told how long', async () => {
    const { clock, limiter } = made()
    limiter.report({ kind: 'throttle', retryAfterMs: 5000 })
    const waiting = failure(limiter.acquire({ maxHeldMs: 6000 }))
    await clock.advance(2000)
    limiter.report({ kind: 'throttle', retryAfterMs: 9000 })
    expect(await waiting).toMatchObject({ reason: 'held', waitedMs: 2000, retryAfterMs: 9000 })
  })

  test.each([
    ['timing out', 2600],
    ['an abort', 2575],
  ])('who comes in the second after it starts when those before have left, also by %s', async (how, atMs) => {
    const { clock, limiter } = made({ maxConcurrent: 4, queueTimeoutMs: 100 })
    const controller = new AbortController()
    limiter.report({ kind: 'throttle', retryAfterMs: 2500 })
    const [first, second] = [limiter.acquire(), failure(limiter.acquire({ signal: controller.signal }))]
    await clock.advance(2550)
    const third = limiter.acquire().then(() => clock.now())
    await clock.advance(25)
    if (how === 'an abort') controller.abort(new Error('left'))
    await clock.advance(1000)
    expect(await first).toBeDefined()
    expect(isQueueTimeout(await second)).toBe(how === 'timing out') // its moment would have been 3000
    expect(await third).toBe(atMs)
  })

  test('a wait that is no number, or negative, holds nothing', () => {
    const { limiter } = made()
    for (const retryAfterMs of [Number.NaN, -5, null, 0]) limiter.report({ kind: 'throttle', retryAfterMs })
    expect(limiter.snapshot().holdUntil).toBeNull()
  })
})

describe('L12: slots', () => {
  test('to give one back twice is to give it back once', async () => {
    const { limiter } = made({ maxConcurrent: 2 })
    const slot = await limiter.acquire()
    slot.release()
    slot.release()
    expect(limiter.snapshot().inFlight).toBe(0)
  })

  test('tryAcquire() gives one only where nobody is passed over', async () => {
    const { limiter } = made()
    const slot = limiter.tryAcquire()
    expect(limiter.tryAcquire()).toBeNull()
    const waiting = limiter.acquire()
    slot?.release()
    expect(limiter.tryAcquire()).toBeNull()
    const next = await waiting
    next.release()
    expect(limiter.tryAcquire()).not.toBeNull()
    expect(limiter.tryAcquire({ signal: AbortSignal.abort() })).toBeNull()
  })
})

describe('L15: events', () => {
  test('each has its name and the snapshot of its moment, until one no longer listens', async () => {
    const { clock, limiter } = made({ maxConcurrent: 35 })
    const events: LimitEvent[] = []
    const end = limiter.subscribe((event) => events.push(event))
    limiter.report({ kind: 'throttle', retryAfterMs: 5000 })
    expect(events).toEqual([]) // never in the midst of what caused it
    await clock.advance(0)
    expect(events).toMatchObject([
      { type: 'throttle_backoff', limit: 17, holdUntil: 5000 },
      { type: 'hold', limit: 17, holdUntil: 5000, inFlight: 0 },
    ])
    end()
    await clock.advance(10_000)
    limiter.report({ kind: 'throttle', retryAfterMs: null })
    await clock.advance(0)
    expect(events).toHaveLength(2)
  })

  test('a listener may ask the limiter', async () => {
    const { clock, limiter } = made({ maxConcurrent: 35 })
    const limits: number[] = []
    limiter.subscribe(() => limits.push(limiter.snapshot().limit))
    limiter.report({ kind: 'throttle', retryAfterMs: null })
    await clock.advance(0)
    expect(limits).toEqual([17])
  })
})

describe('L15: the status', () => {
  const statuses = (limiter: AdaptiveSemaphore) => {
    const told: LimitEvent[] = []
    const end = limiter.subscribe((event) => event.type === 'status' && told.push(event), { status: true })
    return { told, end }
  }

  test('once a window, by the first who asks, reports or waits after its end, with all that is known', async () => {
    const { clock, limiter } = made({ controller: 'windowed', maxConcurrent: 35, minSamples: 1, prior: { p90Ms: 100 } })
    const { told } = statuses(limiter)
    limiter.report({ kind: 'success', latencyMs: 150 })
    await clock.advance(9999)
    limiter.snapshot()
    await clock.advance(1)
    expect([told, clock.pending()]).toEqual([[], 0]) // no timer
    void limiter.acquire()
    limiter.snapshot()
    await clock.advance(0)
    expect(told).toEqual([
      {
        type: 'status',
        ...{ limit: 26, throttleCeiling: 35, latencyCeiling: 26, inFlight: 0, queued: 0 },
        ...{ p90Ms: 150, smoothedMs: 150, baselineMs: expect.closeTo(101.6, 1), ratio: expect.closeTo(1.476, 2) },
        ...{ baselineTrust: 'provisional', shedding: false, overdraftLeftMs: null, holdUntil: null },
      },
    ])
    await clock.advance(35_000) // three windows end, and nobody is there
    limiter.report({ kind: 'failure' })
    await clock.advance(0)
    expect(told).toHaveLength(2)
    expect(told[1]).toMatchObject({ inFlight: 1, p90Ms: 150 })
    await clock.advance(5000) // the grid is the windows'
    limiter.report({ kind: 'failure' })
    await clock.advance(0)
    expect(told).toHaveLength(3)
  })

  test('a task’s end tells it too, after who waited has started', async () => {
    const { clock, limiter } = made()
    const { told } = statuses(limiter)
    const first = limiter.run(() => sleep(clock, 10_000))
    const second = limiter.run(() => sleep(clock, 1))
    await clock.advance(10_001)
    await Promise.all([first, second])
    expect(told).toMatchObject([{ inFlight: 1, queued: 0 }])
  })

  test('in shadow mode too, with the limit that would be', async () => {
    const { clock, limiter } = made({ maxConcurrent: 35, shadow: true })
    const { told } = statuses(limiter)
    limiter.report({ kind: 'throttle', retryAfterMs: 20_000 })
    await clock.advance(10_000)
    limiter.snapshot()
    await clock.advance(0)
    expect(told).toMatchObject([{ limit: 17, holdUntil: 20_000 }])
  })

  test('only to who asked for it, and until they no longer listen', async () => {
    const { clock, limiter } = made()
    const others: LimitEvent[] = []
    limiter.subscribe((event) => others.push(event))
    await clock.advance(10_000)
    const { told, end } = statuses(limiter) // the window that ended before is none of theirs
    const also = statuses(limiter)
    limiter.snapshot()
    await clock.advance(10_000)
    limiter.snapshot()
    await clock.advance(0)
    end()
    await clock.advance(10_000)
    limiter.snapshot()
    await clock.advance(0)
    expect([told.length, also.told.length, others.length]).toEqual([1, 2, 0])
  })
})

test('L11: who waits starts when the window ends that lets the limit rise, though nobody does anything then', async () => {
  const { clock, limiter } = made({
    ...{ controller: 'windowed', maxConcurrent: 2, prior: { p90Ms: 100 }, queueTimeoutMs: 1_000_000 },
  })
  const window = async (latencyMs: number) => {
    for (let i = 0; i < 50; i++) limiter.report({ kind: 'success', latencyMs }) // as many as a window needs, and no more
    await clock.advance(10_000)
  }
  await clock.advance(5000)
  await window(1000)
  expect(limiter.snapshot().limit).toBe(1)
  await limiter.acquire()
  let startedAtMs: number | undefined
  limiter.acquire().then(() => { startedAtMs = clock.now() }) // biome-ignore format: short
  for (let windows = 0; windows < 20 && startedAtMs === undefined; windows++) await window(1)
  // Smoothed over a minute, twelve windows of 1 ms bring 1000 ms below 1.2 × 128 ms. Reports come at 5000, 15 000, …
  expect(startedAtMs).toBe(130_000)
})

describe('L16: nothing is left behind', () => {
  test('measuring sets no timer; waiting sets one, for all who wait', async () => {
    const { clock, limiter } = made()
    for (let i = 0; i < 100; i++) limiter.report({ kind: 'success', latencyMs: 5 })
    limiter.report({ kind: 'throttle', retryAfterMs: 5000 })
    limiter.snapshot()
    expect(clock.pending()).toBe(0)
    for (let i = 0; i < 100; i++) limiter.acquire().catch(() => {})
    expect(clock.pending()).toBe(1)
    limiter.dispose()
    expect(clock.pending()).toBe(0)
  })

  test('dispose() refuses who waits and who comes; what is in flight may end', async () => {
    const { limiter } = made()
    const slot = await limiter.acquire()
    const waiting = failure(limiter.acquire())
    limiter.dispose()
    expect(await waiting).toMatchObject({
      name: 'LimiterDisposedError',
      message: expect.stringMatching(/make a new one/),
    })
    expect(await failure(limiter.acquire())).toMatchObject({ name: 'LimiterDisposedError' })
    expect(limiter.tryAcquire()).toBeNull()
    slot.release()
    limiter.dispose()
    expect(limiter.snapshot()).toMatchObject({ inFlight: 0, queued: 0 })
  })
})

test('on the system’s clock: ten tasks, three at a time', async () => {
  const limiter = new AdaptiveSemaphore({ maxConcurrent: 3 })
  let [now, most] = [0, 0]
  const task = async (): Promise<void> => {
    most = Math.max(most, ++now)
    await new Promise((resolve) => setTimeout(resolve, 5))
    now--
  }
  await Promise.all(Array.from({ length: 10 }, () => limiter.run(task)))
  expect([most, now, limiter.snapshot().inFlight]).toEqual([3, 0, 0])
})

test('the queue can be exchanged: last come, first served', async () => {
  const stack: object[] = []
  const queue = () => ({
    get size() { return stack.length }, // biome-ignore format: short
    get next() { return stack.at(-1) as never }, // biome-ignore format: short
    add: (waiter: object) => void stack.push(waiter),
    remove: (waiter: object) => void stack.splice(stack.indexOf(waiter), 1),
    [Symbol.iterator]: () => stack[Symbol.iterator]() as never,
  })
  const { limiter } = made({ parts: { queue } })
  const order: string[] = []
  const first = await limiter.acquire()
  const [a, b] = ['a', 'b'].map((name) => limiter.run(() => void order.push(name)))
  first.release()
  await Promise.all([a, b])
  expect(order).toEqual(['b', 'a'])
})
