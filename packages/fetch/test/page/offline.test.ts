import { VirtualClock } from '@sluice/core/testing'
import { AdaptiveSemaphore, outcomeOf, retryPolicy, waitingMessage } from '@sluice/fetch/page'
import { describe, expect, test } from 'vitest'
import { type Answer, ended, fails, fine, hangs, scriptedPage, throttled, URL_ } from './scripted-page.js'

const unavailable: Answer = () => new Response('down', { status: 503 })

describe('U3: offline', () => {
  test('three calls that meet it wait for the connection, and each spends one attempt on it', async () => {
    const { fetch, page, clock, sent } = scriptedPage([fails, fails, fails, fine])
    page.goOffline()
    const calls = Promise.all([fetch(URL_), fetch(URL_), fetch(URL_)])
    await clock.advance(8000)
    expect(sent.length).toBe(3)
    page.goOnline()
    const answers = await clock.run(calls)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 0, 0, 8000, 8000, 8000])
    expect(outcomeOf(answers[0])).toEqual({ attempts: 2, waitedMs: 8000, reason: null, retryAfterMs: null })
    expect([clock.pending(), page.listeners.get('online')]).toEqual([0, 0])
  })

  test('a first attempt is never delayed', async () => {
    const { fetch, page, clock } = scriptedPage([fine])
    page.goOffline() // as some browsers say of a machine that reaches its own server well
    expect((await clock.run(fetch(URL_))).status).toBe(200)
    expect(clock.now()).toBe(0)
  })

  test('within the total cap: then it is tried once more, and the call ends as usual', async () => {
    const { fetch, page, clock, sent } = scriptedPage([fails])
    page.goOffline()
    const error = await clock.run(ended(fetch(URL_)))
    expect(error).toBeInstanceOf(TypeError)
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 30_000])
    expect(outcomeOf(error)).toMatchObject({ attempts: 2, waitedMs: 30_000, reason: 'total_over_cap' })
    expect([clock.pending(), page.listeners.get('online')]).toEqual([0, 0])
  })

  test('within the deadline too', async () => {
    const policy = retryPolicy({ deadlineMs: 5000 })
    const { fetch, page, clock, sent } = scriptedPage([fails, hangs], { policy })
    page.goOffline()
    expect(await clock.run(ended(fetch(URL_)))).toMatchObject({ name: 'DeadlineError', attempts: 2, waitedMs: 5000 })
    expect([sent.length, clock.now(), clock.pending()]).toEqual([2, 5000, 0])
  })

  test('the time offline counts: what is left of the cap bounds the waits after it', async () => {
    const policy = retryPolicy({ totalCapMs: 1000, attemptTimeoutMs: null })
    const { fetch, page, clock, sent } = scriptedPage([fails], { policy })
    page.goOffline()
    const call = ended(fetch(URL_))
    await clock.advance(900)
    page.goOnline()
    expect(outcomeOf(await clock.run(call))).toMatchObject({ attempts: 2, waitedMs: 900, reason: 'total_over_cap' })
    expect(sent.length).toBe(2)
  })

  test('an answer, good or bad, came over a connection: its retry waits for nothing', async () => {
    for (const [answer, waitMs] of [
      [throttled, 2125],
      [unavailable, 125],
    ] as const) {
      const { fetch, page, clock } = scriptedPage([answer, fine])
      page.goOffline()
      expect((await clock.run(fetch(URL_))).status).toBe(200)
      expect(clock.now()).toBe(waitMs)
    }
  })

  test('is seen where nobody is told of it, as in a worker, within a second', async () => {
    const { fetch, page, clock, sent } = scriptedPage([fails, fine])
    page.goOffline()
    const call = fetch(URL_)
    await clock.advance(3000)
    page.navigator.onLine = true // and no event
    expect((await clock.run(call)).status).toBe(200)
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 3125])
    expect([clock.pending(), page.listeners.get('online')]).toEqual([0, 0])
  })

  test('what is held back by a limit after it is offline no more', async () => {
    const clock = new VirtualClock()
    const limit = new AdaptiveSemaphore({ maxConcurrent: 1, clock })
    let answer = (_: Response): void => {}
    const slow: Answer = () => new Promise((resolve) => (answer = resolve))
    const { fetch, page } = scriptedPage([fails, slow, fine], { limit, clock })
    page.goOffline()
    const [held, first] = [fetch(URL_), fetch(URL_)]
    await clock.advance(1000)
    expect(fetch.waiting.getSnapshot()).toMatchObject([{ offline: true, inFlight: false }])
    page.goOnline()
    await clock.advance(1000)
    expect(fetch.waiting.getSnapshot()).toMatchObject([{ offline: false, inFlight: false }])
    answer(new Response('fine'))
    expect(await (await clock.run(first)).text()).toBe('fine')
    expect((await clock.run(held)).status).toBe(200)
  })

  test('goes offline during the wait: the attempt that would fail is not spent', async () => {
    const { fetch, page, clock, sent } = scriptedPage([fails, fine])
    const call = fetch(URL_)
    await clock.advance(100)
    page.goOffline()
    await clock.advance(3000)
    expect(sent.length).toBe(1)
    page.goOnline()
    expect((await clock.run(call)).status).toBe(200)
  })

  test('comes back during the wait: the wait is not cut short', async () => {
    const { fetch, page, clock, sent } = scriptedPage([fails, fine])
    page.goOffline()
    const call = fetch(URL_)
    await clock.advance(50)
    page.goOnline()
    await clock.run(call)
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 125])
  })

  test('the store tells, and an abort or leaving ends it', async () => {
    const { fetch, page, clock } = scriptedPage([fails])
    page.goOffline()
    const controller = new AbortController()
    const calls = [ended(fetch(URL_, { signal: controller.signal })), ended(fetch(URL_))]
    const offline = (): boolean[] => fetch.waiting.getSnapshot().map((call) => call.offline)
    await clock.advance(100)
    expect(offline()).toEqual([false, false])
    await clock.advance(100)
    expect(offline()).toEqual([true, true])
    expect(waitingMessage(fetch.waiting.getSnapshot())).toBe('You are offline. Some requests wait for the connection…')
    controller.abort('enough')
    expect(await calls[0]).toBe('enough')
    page.leave()
    expect(await calls[1]).toMatchObject({ message: 'the page was left' })
    expect([offline(), clock.pending(), page.listeners.get('online')]).toEqual([[], 0, 0])
  })
})
