import { createFetch, interactive, outcomeOf, retryAfterMs, retryPolicy } from '@sluice/fetch'
import ky, { HTTPError, type KyInstance, type Options, TimeoutError } from 'ky'
import { describe, expect, test } from 'vitest'
import { serve } from '../server.js'
import { answer } from './answer.js'

const quick = retryPolicy({ baseMs: 1, statedJitterMs: 0 }, interactive)

const api = (prefixUrl: string, options: Options = {}): KyInstance =>
  ky.create({ prefixUrl, fetch: createFetch({ policy: quick }), retry: 0, ...options })

describe('ky', () => {
  test('a throttled POST is sent again with the same JSON body, no earlier than asked', async () => {
    const { url, received } = await serve((nth, response) =>
      nth === 1 ? answer(response, 429, {}, { 'retry-after-ms': '60' }) : answer(response, 201, { id: 1 }),
    )
    expect(
      await api(url)
        .post('orders', { json: { item: 'tea' } })
        .json(),
    ).toEqual({ id: 1 })
    const [first, second] = received
    expect(received.map(({ body, headers }) => [body, headers['content-type']])).toEqual(
      Array(2).fill(['{"item":"tea"}', 'application/json']),
    )
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(60)
  })

  test('a throttle to the end is four sends and ky’s own error; its response tells how it went', async () => {
    const { url, received } = await serve((_, response) =>
      answer(response, 429, { title: 'Slow down' }, { 'retry-after-ms': '10' }),
    )
    const error = await api(url)
      .get('orders')
      .catch((e: unknown) => e)
    if (!(error instanceof HTTPError)) throw error
    expect([error.response.status, await error.response.json(), received.length]).toEqual([
      429,
      { title: 'Slow down' },
      4,
    ])
    expect(retryAfterMs(error)).toBe(10)
    expect(outcomeOf(error.response)).toMatchObject({ attempts: 4, reason: 'attempts_exhausted' })
  })

  test('left on, ky’s two retries multiply ours: twelve sends', async () => {
    const { url, received } = await serve((_, response) => answer(response, 429, {}, { 'retry-after': '0' }))
    await expect(api(url, { retry: 2 }).get('orders')).rejects.toThrow(HTTPError)
    expect(received.length).toBe(12)
  })

  test('ky’s timeout covers attempts and waits together', async () => {
    const { url, received } = await serve((_, response) => answer(response, 429, {}, { 'retry-after': '9' }))
    await expect(api(url, { timeout: 400 }).get('orders')).rejects.toThrow(TimeoutError)
    expect(received.length).toBe(1)
  })

  test('with ky’s timeout off, ours bounds each attempt: one that hangs is asked for again', async () => {
    const { url } = await serve((nth, response) => {
      if (nth === 2) answer(response, 200, { id: 2 })
    })
    const fetch = createFetch({ policy: retryPolicy({ attemptTimeoutMs: 60 }, quick) })
    expect(await api(url, { fetch, timeout: false }).get('orders').json()).toEqual({ id: 2 })
  })

  test('the caller’s abort ends the wait at once, with the caller’s reason', async () => {
    const controller = new AbortController()
    const reason = new Error('the user left')
    const { url, received } = await serve((_, response) => {
      answer(response, 429, {}, { 'retry-after': '9' })
      setTimeout(() => controller.abort(reason), 60) // by then it waits
    })
    await expect(api(url).get('orders', { signal: controller.signal })).rejects.toBe(reason)
    expect(received.length).toBe(1)
    expect(performance.now() - (received[0]?.atMs ?? 0)).toBeLessThan(8000)
  })
})
