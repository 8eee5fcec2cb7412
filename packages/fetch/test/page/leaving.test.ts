import { getEventListeners } from 'node:events'
import { VirtualClock } from '@sluice/core/testing'
import { createPageFetch, isPageLeft, isSuperseded, outcomeOf, retryPolicy, userMessage } from '@sluice/fetch/page'
import { describe, expect, test } from 'vitest'
import { FakePage } from './fake-page.js'
import { ended, fails, fine, hangs, scriptedPage, throttled, URL_ } from './scripted-page.js'

/** A body that gives one chunk and then waits for more. */
const streaming = (): Response =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('first')),
    }),
  )

describe('U1', () => {
  test('U1: an attempt has 30 s, not the minute of `interactive`', async () => {
    const { fetch, clock, sent } = scriptedPage([hangs, fine])
    const call = fetch(URL_)
    await clock.advance(29_999)
    expect(sent.length).toBe(1)
    expect((await clock.run(call)).status).toBe(200)
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 30_125])
  })

  test('U1: a policy of its own counts as it stands', async () => {
    const { fetch, clock, sent } = scriptedPage([hangs], {
      policy: retryPolicy({ maxAttempts: 2, attemptTimeoutMs: 10 }),
    })
    expect(await clock.run(ended(fetch(URL_)))).toMatchObject({ name: 'AttemptTimeoutError', timeoutMs: 10 })
    expect(sent.length).toBe(2)
  })
})

describe('U2: leaving', () => {
  test('ends what is in flight, what waits and what is being read, and nothing more is sent', async () => {
    const { fetch, page, clock, sent } = scriptedPage([hangs, throttled, streaming])
    const inFlight = ended(fetch(URL_))
    const waiting = ended(fetch(URL_))
    const reader = (await fetch(URL_)).body?.getReader()
    await clock.advance(10)
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first')
    expect(fetch.waiting.getSnapshot().length).toBe(1)
    page.leave()
    const reading = await ended(reader?.read() ?? Promise.resolve())
    for (const error of [await inFlight, await waiting, reading]) {
      expect(error).toMatchObject({ name: 'AbortError', message: 'the page was left' })
      expect([isPageLeft(error), isSuperseded(error), userMessage(error)]).toEqual([true, false, null])
    }
    await clock.advance(60_000)
    expect([sent.length, clock.pending(), fetch.waiting.getSnapshot()]).toEqual([3, 0, []])
    expect(sent[2]?.signal.aborted).toBe(true) // the connection goes with the body
  })

  test('a call made while the page goes away sends nothing; one in a page that came back works', async () => {
    const { fetch, page, clock, sent } = scriptedPage([fine])
    page.leave()
    expect(isPageLeft(await ended(fetch(URL_)))).toBe(true)
    expect(sent.length).toBe(0)
    page.comeBack()
    expect((await clock.run(fetch(URL_))).status).toBe(200)
    expect(sent.length).toBe(1)
  })

  test('listens to nothing that keeps a page out of the back-forward cache, and once for all fetches of a page', () => {
    const page = new FakePage()
    for (let i = 0; i < 3; i++) createPageFetch({ page, onLoginExpired: () => {} })
    expect([...page.listeners]).toEqual([
      ['pagehide', 1],
      ['resume', 1],
      ['visibilitychange', 1],
      ['pageshow', 1],
    ])
  })

  test.each(['resume', 'visibilitychange', 'pageshow'])(
    'a page that comes back works from the first thing that it hears: %s',
    async (event) => {
      const { fetch, page, sent } = scriptedPage([fine])
      page.leave()
      page.document.visibilityState = 'hidden'
      page.dispatchEvent(new Event('visibilitychange'))
      expect(isPageLeft(await ended(fetch(URL_)))).toBe(true)
      page.document.visibilityState = 'visible'
      page.dispatchEvent(new Event(event))
      expect(await ended(fetch(URL_))).toMatchObject({ status: 200 })
      page.leave() // and it can be left again
      expect(isPageLeft(await ended(fetch(URL_)))).toBe(true)
      expect(sent.length).toBe(1)
    },
  )

  test('keepalive requests go on, as they were made to', async () => {
    let answer = (_: Response): void => {}
    const { fetch, page, sent } = scriptedPage([() => new Promise((resolve) => (answer = resolve)), fine])
    const begun = fetch(URL_, { method: 'POST', body: 'x', keepalive: true })
    page.leave()
    const made = fetch(URL_, { method: 'POST', body: 'y', keepalive: true })
    answer(new Response('noted'))
    expect(await Promise.all([begun, made].map(async (call) => (await call).text()))).toEqual(['noted', 'fine'])
    expect(sent.length).toBe(2)
  })

  test("the caller's own abort is still the caller's own reason, until the body is over", async () => {
    const { fetch, sent } = scriptedPage([hangs, streaming])
    const [why, controller] = [{ why: 'mine' }, new AbortController()]
    const { signal } = controller
    const inFlight = ended(fetch(URL_, { signal }))
    const response = await fetch(new Request(URL_, { signal }))
    controller.abort(why)
    expect([await inFlight, await ended(response.text())]).toEqual([why, why])
    expect(await ended(fetch(URL_, { signal }))).toBe(why)
    expect(sent.length).toBe(2)
  })

  test('a call that is over leaves no listener with its caller and nothing with the page', async () => {
    const { fetch, page, clock, sent } = scriptedPage([fails, throttled, fine, fine])
    const { signal } = new AbortController()
    const response = await clock.run(fetch(URL_, { signal }))
    expect(getEventListeners(signal, 'abort').length).toBe(1) // for the body
    expect(await response.text()).toBe('fine')
    expect(getEventListeners(signal, 'abort')).toEqual([])
    await (await fetch(URL_, { signal })).body?.cancel()
    expect(getEventListeners(signal, 'abort')).toEqual([])
    page.leave()
    expect(sent.filter(({ signal }) => signal.aborted).length).toBe(2) // the two that were sent again
  })
})

describe('U2: superseding', () => {
  test('five times costs one answer: the earlier four end at once, and can be told', async () => {
    const { fetch, clock, sent } = scriptedPage([hangs, hangs, hangs, hangs, fine])
    const search = fetch.with({ supersede: 'search' })
    const calls = ['a', 'ab', 'abc', 'abcd', 'abcde'].map((q) => ended(search(`https://app.test/search?q=${q}`)))
    const ends = await clock.run(Promise.all(calls))
    for (const error of ends.slice(0, 4)) {
      expect(error).toMatchObject({ name: 'AbortError' })
      expect([isSuperseded(error), isPageLeft(error), userMessage(error)]).toEqual([true, false, null])
    }
    expect((ends[4] as Response).status).toBe(200)
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([true, true, true, true, false])
  })

  test('one that waits is sent no more, and one that is being read breaks off', async () => {
    const { fetch, clock, sent } = scriptedPage([throttled, streaming, fine])
    const search = fetch.with({ supersede: 'search' })
    const waiting = ended(search(URL_))
    await clock.advance(10)
    const reading = ended((await clock.run(search(URL_))).text())
    expect((await clock.run(search(URL_))).status).toBe(200)
    expect([isSuperseded(await waiting), isSuperseded(await reading)]).toEqual([true, true])
    await clock.advance(60_000)
    expect(sent.length).toBe(3)
  })

  test('other keys, calls without one, and answers that were read are left alone', async () => {
    const { fetch, clock, sent } = scriptedPage([fine])
    const done = await clock.run(fetch.with({ supersede: 'a' })(URL_))
    expect(await done.text()).toBe('fine')
    const calls = [fetch.with({ supersede: 'a' }), fetch.with({ supersede: 'b' }), fetch, fetch]
    const answers = await clock.run(Promise.all(calls.map((call) => call(URL_))))
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['fine', 'fine', 'fine', 'fine'])
    expect(sent.some(({ signal }) => signal.aborted)).toBe(false)
  })

  test('a call whose caller has given up already takes nobody’s place', async () => {
    const { fetch, sent } = scriptedPage([hangs])
    const search = fetch.with({ supersede: 'search' })
    search(URL_).catch(() => {})
    expect(await ended(search(URL_, { signal: AbortSignal.abort('gone') }))).toBe('gone')
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([false])
  })

  test('keeps its key through .with(), beside fields of the policy', async () => {
    const { fetch, clock, sent } = scriptedPage([throttled])
    const once = fetch.with({ supersede: 'search' }).with({ maxAttempts: 1 })
    const first = ended(once(URL_))
    expect((await clock.run(once(URL_))).status).toBe(429)
    expect([isSuperseded(await first), sent.length]).toEqual([true, 2])
  })
})

describe('U4', () => {
  const stream = { headers: { accept: 'application/json, text/event-stream;q=0.9' } }
  test.each([
    ['keepalive', (): [string, RequestInit] => [URL_, { method: 'POST', body: 'x', keepalive: true }]],
    ['keepalive, in a Request', (): [Request] => [new Request(URL_, { keepalive: true })]],
    ['an event stream', (): [string, RequestInit] => [URL_, stream]],
    ['an event stream, in a Request', (): [Request] => [new Request(URL_, stream)]],
  ])('U4: %s is sent once, by whatever policy', async (_, request) => {
    for (const policy of [retryPolicy(), retryPolicy({ throttleBudgetMs: 30_000 })]) {
      const { fetch, clock, sent } = scriptedPage([throttled], { policy })
      const response = await clock.run(fetch(...(request() as [string, RequestInit])))
      expect([response.status, sent.length, outcomeOf(response)?.attempts]).toEqual([429, 1, 1])
    }
  })

  test('U4: a stream is not called one for another type, and ends with the page', async () => {
    const { fetch, page, clock, sent } = scriptedPage([throttled, fine, hangs])
    await clock.run(fetch(URL_, { headers: { accept: 'text/event-streams, text/html' } }))
    expect(sent.length).toBe(2)
    const call = ended(fetch(URL_, stream))
    page.leave()
    expect(isPageLeft(await call)).toBe(true)
  })

  test('U4: both go past the limit, which is for calls that end', async () => {
    const limit = { tryAcquire: () => null, acquire: () => Promise.reject(new Error('asked for a slot')) }
    const { fetch, clock } = scriptedPage([fine], { limit, clock: new VirtualClock() })
    for (const init of [stream, { method: 'POST', body: 'x', keepalive: true }])
      expect((await clock.run(fetch(URL_, init))).status).toBe(200)
    expect(fetch.passed.count).toBe(2)
    await expect(fetch(URL_)).rejects.toThrow('asked for a slot')
  })
})
