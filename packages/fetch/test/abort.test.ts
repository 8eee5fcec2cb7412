import { getEventListeners } from 'node:events'
import { createFetch, interactive, retryPolicy } from '@sluice/fetch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serve } from './server.js'

const policy = retryPolicy({ baseMs: 0 }, interactive)
const unhandled: unknown[] = []
const note = (error: unknown): void => void unhandled.push(error)
beforeAll(() => void process.on('unhandledRejection', note))
afterAll(() => {
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

/** One turn of the event loop. */
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1))
}

describe('R11: aborting rejects within a tick with the reason itself', () => {
  const reason = { why: 'the caller says so' }

  /** Aborts, and answers what the promise had become one tick later. */
  const abortAndSee = async (controller: AbortController, promise: Promise<unknown>): Promise<unknown> => {
    let seen: unknown = 'still pending'
    promise.then(
      (value) => {
        seen = value
      },
      (error) => {
        seen = error
      },
    )
    controller.abort(reason)
    await tick()
    return seen
  }

  test('before: nothing is sent', async () => {
    const server = await serve((_, response) => response.end())
    const controller = new AbortController()
    controller.abort(reason)
    await expect(createFetch()(server.url, { signal: controller.signal })).rejects.toBe(reason)
    await expect(createFetch()(new Request(server.url, { signal: controller.signal }))).rejects.toBe(reason)
    expect(server.received).toEqual([])
  })

  test('in flight: and the connection is closed', async () => {
    let closed = false
    const server = await serve((_, response) => void response.on('close', () => (closed = true)))
    const controller = new AbortController()
    const call = createFetch({ policy })(server.url, { signal: controller.signal })
    await until(() => server.received.length === 1)
    expect(await abortAndSee(controller, call)).toBe(reason)
    await until(() => closed)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  test('in the wait: and nothing more is sent', async () => {
    const server = await serve((_, response) => response.writeHead(429, { 'retry-after': '5' }).end('no'))
    const controller = new AbortController()
    const fetch = createFetch({ policy })
    const call = fetch(server.url, { signal: controller.signal })
    await until(() => fetch.waiting.getSnapshot().length === 1)
    expect(await abortAndSee(controller, call)).toBe(reason)
    expect([server.received.length, fetch.waiting.getSnapshot()]).toEqual([1, []])
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  test('while the body comes: reading it fails with the reason, and the connection is closed', async () => {
    let closed = false
    const server = await serve((_, response) => {
      response.on('close', () => (closed = true))
      response.writeHead(200).write('begun')
    })
    const controller = new AbortController()
    const response = await createFetch({ policy })(server.url, { signal: controller.signal })
    const text = response.text()
    await tick()
    expect(await abortAndSee(controller, text)).toBe(reason)
    await until(() => closed)
  })

  test('after the body: is of no consequence', async () => {
    const server = await serve((_, response) => response.end('all of it'))
    const controller = new AbortController()
    const response = await createFetch({ policy })(server.url, { signal: controller.signal })
    expect(await response.text()).toBe('all of it')
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    controller.abort(reason)
  })

  test("a Request's own signal counts, and init's goes over it", async () => {
    const server = await serve(() => {})
    const [inner, outer] = [new AbortController(), new AbortController()]
    const request = (): Request => new Request(server.url, { signal: inner.signal })
    const own = createFetch({ policy })(request())
    const given = createFetch({ policy })(request(), { signal: outer.signal })
    await until(() => server.received.length === 2)
    expect(await abortAndSee(inner, own)).toBe(reason)
    expect(await abortAndSee(outer, given)).toBe(reason)
  })
})

test('AbortSignal.timeout is an abort of the caller, never a timeout of ours', async () => {
  const server = await serve(() => {})
  const call = createFetch({ policy })(server.url, { signal: AbortSignal.timeout(400) })
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(server.received.length).toBe(1)
})

test('a response that keeps its look: clone, url and headers are as fetch had them', async () => {
  const server = await serve((_, response) => response.writeHead(201, 'Made', { 'x-own': '1' }).end('{"a":1}'))
  const response = await createFetch({ policy })(`${server.url}/path`, { signal: new AbortController().signal })
  const copy = response.clone()
  for (const one of [response, copy]) {
    expect([one.status, one.statusText, one.url, one.type, one.redirected, one.headers.get('x-own')]).toEqual([
      ...[201, 'Made', `${server.url}/path`, 'basic', false, '1'],
    ])
    expect(await one.json()).toEqual({ a: 1 })
  }
})

test('its inside too, which service workers and caches look at; but for what no Response can be made with', async () => {
  const inside = (response: Response): unknown[] =>
    (['status', 'ok', 'statusText'] as const).map((name) =>
      Object.getOwnPropertyDescriptor(Response.prototype, name)?.get?.call(response),
    )
  const server = await serve((nth, response) => response.writeHead(nth === 1 ? 404 : 999, 'Own').end('gone'))
  const { signal } = new AbortController()
  const response = await createFetch({ policy })(server.url, { signal })
  expect([inside(response), inside(response.clone())]).toEqual(Array(2).fill([404, false, 'Own']))
  const odd = await createFetch({ policy })(server.url, { signal })
  expect([odd.status, inside(odd), await odd.text()]).toEqual([999, [200, true, ''], 'gone'])
})
