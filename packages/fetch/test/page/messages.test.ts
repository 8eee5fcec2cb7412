import { type SurfaceCase, scriptSurface, surfaceTable } from '@sluice/conformance/surfaces'
import { policyFromTable } from '@sluice/core/conformance'
import { VirtualClock } from '@sluice/core/testing'
import * as sluice from '@sluice/fetch/page'
import { describe, expect, test, vi } from 'vitest'
import { FakePage } from './fake-page.js'
import { ended, fails, fine, hangs, scriptedPage, URL_ } from './scripted-page.js'

const { userMessage, waitingMessage } = sluice
const table = surfaceTable()
const rows = table.cases.flatMap(({ expect: { ui }, call, ...row }) => (ui && call ? [{ ...row, call, ui }] : []))

/** What one call came to. */
interface Played {
  /** What a person was told, from one change to the next. */
  told: (string | null)[]
  /** How often it waited. */
  waits: number
  end: unknown
}

/** Makes a row's call in a page. */
const play = async (call: NonNullable<SurfaceCase['call']>): Promise<Played> => {
  const { call: made, clock } = scriptSurface(call, table.policy, new VirtualClock())
  const { random, signal, fetch: transport, request } = made
  const policy = policyFromTable(made.policy, sluice)
  if ('policy_error' in policy) throw new Error(`the row's policy is refused: ${policy.policy_error}`)
  const fetch = sluice.createPageFetch({ page: new FakePage(), policy, clock, random, fetch: transport })
  const told: (string | null)[] = []
  let waits = 0
  fetch.waiting.subscribe(() => {
    const calls = fetch.waiting.getSnapshot()
    const message = waitingMessage(calls)
    if (told.at(-1) !== message) told.push(message)
    waits += calls.filter(({ inFlight }) => !inFlight).length
  })
  const { method, headers, url } = request
  return { end: await clock.run(ended(fetch(url, { method, headers, signal }))), told, waits }
}

describe('S3: what a person is told', () => {
  test.each(rows)('$id: $name', async ({ call, ui }) => {
    const { end, told, waits } = await play(call)
    expect(userMessage(end)).toBe(ui.message)
    // It stands there while the retry is in flight too, and no longer once the call is over.
    const sentences = ui.waiting.filter((sentence, n) => sentence !== ui.waiting[n - 1])
    expect(told).toEqual(sentences.length ? [...sentences, null] : [])
    expect(waits).toBe(ui.waiting.length)
  })

  test('rows there are', () => expect(rows.length).toBeGreaterThan(15))

  test('a limit that has no place, no slot in time, or is under a hold', () => {
    const held = {
      status: null,
      headers: null,
      attempts: 0,
      waitedMs: 0,
      reason: 'held',
      retryAfterMs: 42_000,
    } as const
    const tooMany = 'Too many requests at once — please retry shortly'
    expect(userMessage(new sluice.QueueFullError(500))).toBe(tooMany)
    expect(userMessage(new sluice.QueueTimeoutError(10_000))).toBe(tooMany)
    expect(userMessage(new sluice.ThrottledError(held))).toBe('Rate limited — server asked to retry in 42 s')
  })

  test('is found through causes, and in the errors of clients', async () => {
    const { end } = await play({ request: {}, answers: [{ status: 429, headers: { 'retry-after': '90' } }] })
    const rateLimited = 'Rate limited — server asked to retry in 90 s'
    expect(userMessage(new Error('the panel failed', { cause: end }))).toBe(rateLimited)
    expect(userMessage(Object.assign(new Error('HTTP 429'), { response: end }))).toBe(rateLimited)
    const headers = { 'retry-after': '90' }
    expect(userMessage(Object.assign(new Error('HTTP 429'), { status: 429, headers }))).toBe(rateLimited)
    const fine = await sluice.createPageFetch({ page: new FakePage(), fetch: async () => new Response('<html>') })(URL_)
    expect(userMessage(new Error('not JSON', { cause: fine }))).toBe('Request failed — please retry') // that is none of the answer's
    expect(userMessage(Object.assign(new Error('not JSON'), { response: fine }))).toBe('Request failed — please retry')
    const problem = { title: 'No such data source' }
    expect(userMessage(Object.assign(new Error('HTTP 404'), { status: 404, problem }))).toBe(
      'Request failed (HTTP 404): No such data source',
    )
  })

  test('of answers that came another way, by their status', () => {
    const of = (status: number, statusText = ''): string | null =>
      userMessage(new Response(null, { status, statusText }))
    expect([of(200), of(204)]).toEqual([null, null])
    expect([of(429), of(502), of(503), of(504)]).toEqual([
      'Rate limited — please retry shortly',
      ...[502, 503, 504].map((status) => `Request failed (HTTP ${status}) — please retry shortly`),
    ])
    expect([of(404, 'Not Found'), of(500)]).toEqual([
      'Request failed (HTTP 404): Not Found',
      'Request failed (HTTP 500)',
    ])
  })

  test('an abort for whatever reason needs no words; a fault of the page is not laid at the network’s door', async () => {
    const { fetch, clock } = scriptedPage([fine])
    const reason = { why: 'closed the panel' }
    expect(userMessage(await clock.run(ended(fetch(URL_, { signal: AbortSignal.abort(reason) }))))).toBe(null)
    expect(userMessage(new DOMException('aborted', 'AbortError'))).toBe(null)
    for (const fault of [new TypeError('x is undefined'), 'a string'])
      expect(userMessage(fault)).toBe('Request failed — please retry')
    expect([userMessage(null), userMessage(undefined)]).toEqual([null, null]) // where a library keeps no error
  })

  test('nor does one of a body that is being read, by a reason that is an error to everybody else', async () => {
    const { fetch } = scriptedPage([() => new Response(new ReadableStream())])
    const [controller, why] = [new AbortController(), new Error('the panel is closed')]
    const response = await fetch(URL_, { signal: controller.signal })
    const reading = ended(response.text())
    expect(userMessage(why)).toBe('Request failed — please retry')
    controller.abort(why)
    expect([await reading, userMessage(await reading)]).toEqual([why, null])
  })

  test('a failure that its caller ends other calls with is one still', async () => {
    const { fetch, clock } = scriptedPage([fails, hangs])
    const failure = await clock.run(ended(fetch.with({ maxAttempts: 1 })(URL_)))
    const controller = new AbortController()
    const other = ended(fetch(URL_, { signal: controller.signal }))
    controller.abort(failure)
    expect(await other).toBe(failure)
    expect(userMessage(failure)).toBe('No connection to the server — please check the network and retry')
  })

  test('a timeout of the page’s own is an abort that a person has to hear of', async () => {
    const { fetch, clock, sent } = scriptedPage([hangs])
    const controller = new AbortController()
    const call = ended(fetch(URL_, { signal: controller.signal }))
    const reason = new DOMException('signal timed out', 'TimeoutError') // as AbortSignal.timeout() has it
    controller.abort(reason)
    expect(await clock.run(call)).toBe(reason)
    expect([userMessage(reason), sent.length]).toEqual(['No answer from the server in time — please retry', 1])
  })

  test('clones, the errors of clients that keep its headers, and other copies of this package know what it was', async () => {
    const github = { preset: 'github' } as const
    const quota = { status: 403, headers: { 'x-ratelimit-remaining': '0' } }
    const { end } = await play({ request: {}, policy: github, answers: [quota] })
    const response = end as Response
    const rateLimited = 'Rate limited — server asked to retry in 60 s'
    expect(userMessage(response)).toBe(rateLimited)
    expect(userMessage(response.clone().clone())).toBe(rateLimited)
    expect(userMessage(Object.assign(new Error('HTTP 403'), { status: 403, headers: response.headers }))).toBe(
      rateLimited,
    )
    vi.resetModules()
    const other = await import('@sluice/fetch/page')
    expect(other.userMessage).not.toBe(userMessage)
    expect([other.userMessage(response), other.isPageLeft(response)]).toEqual([rateLimited, false])
  })
})

test('S3: one sentence for all that wait, the gravest first', () => {
  const call = {
    id: 1,
    method: 'GET',
    url: '',
    status: 503,
    attempt: 2,
    untilMs: 0,
    inFlight: false,
    offline: false,
  } as const
  const throttle = { ...call, class: 'throttle', status: 429 } as const
  const transient = { ...call, class: 'transient' } as const
  const offline = { ...transient, status: null, offline: true }
  expect(waitingMessage([])).toBe(null)
  expect(waitingMessage([transient, throttle, offline])).toBe('Some requests are being retried after throttling…')
  expect(waitingMessage([transient, offline])).toBe('You are offline. Some requests wait for the connection…')
  expect(waitingMessage([transient])).toBe('Some requests failed and are being retried…')
})
