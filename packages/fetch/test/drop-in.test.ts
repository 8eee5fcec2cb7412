import { VirtualClock } from '@sluice/core/testing'
import { createFetch, interactive, outcomeOf, retryPolicy } from '@sluice/fetch'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serve, serveRaw } from './server.js'

const policy = retryPolicy({ baseMs: 1, statedJitterMs: 0 }, interactive)
const fetch = createFetch({ policy })
const withSignal = (): { signal: AbortSignal } => ({ signal: new AbortController().signal })

/** Every request is throttled once, told apart by path and body. */
const throttleEachOnce = () => {
  const seen = new Set<string>()
  return serve((_, response, { method, path, body }) => {
    const key = `${method} ${path} ${body}`
    response.writeHead(seen.has(key) ? 200 : 429, { 'retry-after': '0' }).end()
    seen.add(key)
  })
}

describe('what is sent is what was given when the call was made', () => {
  test('a URL that is changed afterwards', async () => {
    const server = await throttleEachOnce()
    const url = new URL(server.url)
    const calls = ['a', 'b'].map((p) => {
      url.searchParams.set('p', p)
      return fetch(url)
    })
    await Promise.all(calls)
    expect(server.received.map(({ path }) => path).sort()).toEqual(['/?p=a', '/?p=a', '/?p=b', '/?p=b'])
  })

  test('an init, its headers and its parameters that are changed afterwards', async () => {
    const server = await throttleEachOnce()
    const body = new URLSearchParams()
    const headers: Record<string, string> = {}
    const init = { method: 'POST', body, headers }
    const calls = ['a', 'b'].map((value) => {
      body.set('v', value)
      headers['x-value'] = value
      return fetch(server.url, init)
    })
    await Promise.all(calls)
    const sent = server.received.map((one) => `${one.body} ${one.headers['x-value']}`).sort()
    expect(sent).toEqual(['v=a a', 'v=a a', 'v=b b', 'v=b b'])
  })

  test('headers that can be read once', async () => {
    const server = await throttleEachOnce()
    const once = (function* () {
      yield ['authorization', 'A']
    })() as unknown as HeadersInit // what fetch takes and lib.dom does not say
    await fetch(server.url, { headers: once })
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual(['A', 'A'])
  })
})

describe('arguments as the platform reads them', () => {
  test('a Request as init, as workers like it', async () => {
    const server = await throttleEachOnce()
    const request = new Request(server.url, { method: 'POST', body: 'hi', headers: { 'x-own': '1' } })
    const init = new Request(request, { duplex: 'half' } as RequestInit) // Node's, beyond lib.dom
    await fetch(`${server.url}/other`, init)
    expect(server.received[0]).toMatchObject({ method: 'POST', path: '/other', body: 'hi', headers: { 'x-own': '1' } })
  })

  test('signal: null takes the signal of a Request away', async () => {
    const server = await serve((_, response) => response.end())
    const request = new Request(server.url, { signal: AbortSignal.abort() })
    expect((await fetch(request, { signal: null })).status).toBe(200)
  })

  test('a Request keeps its referrer policy', async () => {
    const seen: [string, string][] = []
    const transport: typeof globalThis.fetch = async (input, init) => {
      const { referrer, referrerPolicy } = new Request(input, init)
      seen.push([referrer, referrerPolicy])
      return new Response()
    }
    const request = new Request('http://service.test/', { referrer: '', referrerPolicy: 'no-referrer' })
    await createFetch({ fetch: transport })(request)
    expect(seen).toEqual([['', 'no-referrer']])
  })

  test('a bad request made of a Request and an init is sent once', async () => {
    let sends = 0
    const transport = (): never => {
      sends++
      throw new TypeError('Failed to fetch')
    }
    const call = createFetch({ fetch: transport, policy })(new Request('http://service.test/'), { body: 'x' })
    await expect(call).rejects.toThrow(TypeError)
    expect(sends).toBe(1)
  })

  test('a Request without a body property, as in Firefox, is replayed from its bytes', async () => {
    const body = Object.getOwnPropertyDescriptor(Request.prototype, 'body')
    if (!body) throw new Error('this platform has no Request.body to take away')
    onTestFinished(() => void Object.defineProperty(Request.prototype, 'body', body))
    const server = await throttleEachOnce()
    const request = new Request(server.url, { method: 'POST', body: 'bytes' })
    Reflect.deleteProperty(Request.prototype, 'body')
    expect((await fetch(request)).status).toBe(200)
    expect(server.received.map((one) => one.body)).toEqual(['bytes', 'bytes'])
  })
})

describe('answers as the platform gives them, also where a signal is watched', () => {
  test.each([
    [999, 'Request denied'],
    [600, 'x'],
    [200, '确定'],
  ])('status %d %s', async (status, reason) => {
    const url = await serveRaw(`HTTP/1.1 ${status} ${reason}\r\ncontent-length: 2\r\n\r\nok`)
    const response = await fetch(url, withSignal())
    expect([response.status, response.ok, await response.text()]).toEqual([status, status === 200, 'ok'])
    expect(response.statusText).toBe((await globalThis.fetch(url)).statusText)
  })

  test('a body that is no web stream is left alone', async () => {
    const odd = { status: 200, headers: new Headers(), body: { pipe() {} } } as unknown as Response // as node-fetch answers
    const call = createFetch({ fetch: async () => odd })
    expect(await call('http://service.test/', withSignal())).toBe(odd)
  })

  test.each([
    ['a signal', (url: string) => [url, withSignal()] as const],
    ['a Request', (url: string) => [new Request(url)] as const],
  ])('R14: one policy inside another sends 4 times with %s', async (_, args) => {
    const server = await serve((_, response) => response.writeHead(503).end('no'))
    const [input, init] = args(server.url)
    const response = await createFetch({ policy, fetch: createFetch({ policy }) })(input, init)
    expect(server.received.length).toBe(4)
    expect(outcomeOf(response)).toMatchObject({ attempts: 4 })
    expect(outcomeOf(response.clone())).toMatchObject({ attempts: 4 })
  })
})

describe('bad options are refused when they are given', () => {
  const bad = (options: unknown): (() => unknown) => {
    return () => createFetch(options as object) // what JavaScript lets through
  }

  test.each<[unknown, string]>([
    [{ maxAttempts: 1 }, 'createFetch: there is no option maxAttempts; options are policy, fetch'],
    [{ policy: 'github' }, 'createFetch: policy must be a preset or made by retryPolicy(); got "github"'],
    [{ policy: { ...interactive, maxAttempts: 0 } }, 'made by retryPolicy(); got a plain object'],
    [{ idempotent: 'no' }, 'createFetch: idempotent must be true or false; got "no"'],
    [{ idempotencyKey: 'k' }, 'createFetch: idempotencyKey must be true, false or a function; got "k"'],
    [{ fetch: 3 }, 'createFetch: fetch must be a function; got 3'],
    [{ onRetry: 'x' }, 'createFetch: onRetry must be a function; got "x"'],
    [{ random: 0.5 }, 'createFetch: random must be a function; got 0.5'],
    [{ clock: {} }, 'createFetch: clock must be an object with timer(); got a plain object'],
    [{ retryBudget: true }, 'createFetch: retryBudget must be an object with take(); got true'],
    [{ logger: null }, 'createFetch: logger must be an object with warn(); got null'],
    [null, 'createFetch: options must be an object; got null'],
    [globalThis.fetch, 'createFetch: options must be an object; got a function'],
  ])('%o', (options, message) => {
    expect(bad(options)).toThrow(message)
  })

  test('for one call too, and in retryPolicy()', () => {
    expect(() => fetch.with({ idempotent: 'no' as never })).toThrow('idempotent must be true or false; got "no"')
    expect(() => retryPolicy('github' as never)).toThrow('retryPolicy: options must be an object; got "github"')
    expect(() => retryPolicy({}, 'github' as never)).toThrow('retryPolicy: policy must be a preset or made by')
  })

  test.each([undefined, ''])('a key that is made as %o is refused before anything is sent', async (key) => {
    const server = await serve((_, response) => response.end())
    const keyed = createFetch({ idempotencyKey: () => key as string })
    const message = 'createFetch: idempotencyKey must make a string that is not empty'
    await expect(keyed(server.url, { method: 'POST' })).rejects.toThrow(message)
    expect(server.received).toEqual([])
  })
})

test('R12: a body that stalls is let go of after a moment, not held through the wait', async () => {
  const clock = new VirtualClock()
  let cancelledAt: number | undefined
  const stalled = new ReadableStream({
    cancel() {
      cancelledAt = clock.now()
    },
  })
  const answers = [new Response(stalled, { status: 429, headers: { 'retry-after': '5' } }), new Response('done')]
  const call = createFetch({ clock, policy: retryPolicy(), fetch: async () => answers.shift() ?? Response.error() })
  await clock.run(call('http://service.test/'))
  expect([cancelledAt, clock.now()]).toEqual([100, 5000])
})

test('R12: where no wait is asked for, a small body gets a moment to arrive', async () => {
  const clock = new VirtualClock()
  let ended = false
  const late = new ReadableStream({
    start(controller) {
      clock.timer(50, () => {
        ended = true
        controller.close()
      })
    },
  })
  const answers = [new Response(late, { status: 429, headers: { 'retry-after': '0' } }), new Response('done')]
  const call = createFetch({ clock, policy: retryPolicy(), fetch: async () => answers.shift() ?? Response.error() })
  await clock.run(call('http://service.test/'))
  expect([ended, clock.now()]).toEqual([true, 50])
})
