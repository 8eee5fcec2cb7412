import { createFetch, interactive, outcomeOf, retryAfterMs, retryPolicy } from '@sluice/fetch'
import { type $Fetch, FetchError, type FetchOptions, createFetch as ofetchOver } from 'ofetch'
import { describe, expect, test } from 'vitest'
import { serve } from '../server.js'
import { answer } from './answer.js'

const quick = retryPolicy({ baseMs: 1, statedJitterMs: 0 }, interactive)

const api = (baseURL: string, options: FetchOptions = { retry: false }, policy = quick): $Fetch =>
  ofetchOver({ fetch: createFetch({ policy }), defaults: { baseURL, ...options } })

describe('ofetch', () => {
  test('a throttled POST is sent again with the same JSON body, no earlier than asked', async () => {
    const { url, received } = await serve((nth, response) =>
      nth === 1 ? answer(response, 429, {}, { 'retry-after-ms': '60' }) : answer(response, 201, { id: 1 }),
    )
    expect(await api(url)('/orders', { method: 'POST', body: { item: 'tea' } })).toEqual({ id: 1 })
    const [first, second] = received
    expect(received.map(({ body, headers }) => [body, headers['content-type']])).toEqual(
      Array(2).fill(['{"item":"tea"}', 'application/json']),
    )
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(60)
  })

  test.each([{ retry: false }, { retry: 0 }] as const)(
    'with %o a throttle to the end is four sends and ofetch’s own error, whose response tells how it went',
    async (options) => {
      const { url, received } = await serve((_, response) =>
        answer(response, 429, { title: 'Slow down' }, { 'retry-after-ms': '10' }),
      )
      const error = await api(url, options)('/orders').catch((e: unknown) => e)
      if (!(error instanceof FetchError)) throw error
      expect([error.status, error.data, received.length]).toEqual([429, { title: 'Slow down' }, 4])
      expect(retryAfterMs(error)).toBe(10)
      expect(outcomeOf(error.response)).toMatchObject({ attempts: 4, reason: 'attempts_exhausted' })
    },
  )

  test('left on, ofetch’s retry doubles ours, and it comes back earlier than the server asked', async () => {
    const { url, received } = await serve((_, response) => answer(response, 429, {}, { 'retry-after': '60' }))
    const started = performance.now()
    await expect(api(url, {})('/orders')).rejects.toThrow(FetchError)
    expect(received.length).toBe(2) // ours gave up at once, twice: the wait is over its cap
    expect(performance.now() - started).toBeLessThan(1000)

    const busy = await serve((_, response) => answer(response, 429, {}, { 'retry-after-ms': '1' }))
    await expect(api(busy.url, {})('/orders')).rejects.toThrow(FetchError)
    expect(busy.received.length).toBe(8)
  })

  test('ofetch’s timeout covers attempts and waits together', async () => {
    const { url, received } = await serve((_, response) => answer(response, 429, {}, { 'retry-after': '9' }))
    const error = await api(url)('/orders', { timeout: 60 }).catch((e: unknown) => e)
    expect(error).toMatchObject({ name: 'FetchError', cause: { name: 'TimeoutError' } })
    expect(received.length).toBe(1)
  })

  test('the caller’s abort ends the wait at once, with the caller’s reason as cause', async () => {
    const controller = new AbortController()
    const reason = new Error('the user left')
    const { url, received } = await serve((_, response) => {
      answer(response, 429, {}, { 'retry-after': '9' })
      setTimeout(() => controller.abort(reason), 60) // by then it waits
    })
    await expect(api(url)('/orders', { signal: controller.signal })).rejects.toMatchObject({ cause: reason })
    expect(received.length).toBe(1)
    expect(performance.now() - (received[0]?.atMs ?? 0)).toBeLessThan(8000)
  })
})
