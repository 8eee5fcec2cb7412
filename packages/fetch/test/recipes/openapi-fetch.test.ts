import { createFetch, interactive, outcomeOf, retryAfterMs, retryPolicy } from '@sluice/fetch'
import createClient, { type Client } from 'openapi-fetch'
import { describe, expect, test } from 'vitest'
import { serve } from '../server.js'
import { answer } from './answer.js'

const quick = retryPolicy({ baseMs: 1, statedJitterMs: 0 }, interactive)

/** What openapi-typescript makes of a document, by hand. */
interface paths {
  '/orders': {
    post: {
      requestBody: { content: { 'application/json': { item: string } } }
      responses: {
        201: { content: { 'application/json': { id: number } } }
        429: { content: { 'application/json': { title: string } } }
      }
    }
  }
}

const client = (baseUrl: string, policy = quick): Client<paths> =>
  createClient<paths>({ baseUrl, fetch: createFetch({ policy }) })
const body = { item: 'tea' }

describe('openapi-fetch', () => {
  test('a throttled POST is sent again with the same JSON body, no earlier than asked', async () => {
    const { url, received } = await serve((nth, response) =>
      nth === 1 ? answer(response, 429, {}, { 'retry-after-ms': '60' }) : answer(response, 201, { id: 1 }),
    )
    const { data, response } = await client(url).POST('/orders', { body })
    expect([data, outcomeOf(response)?.attempts]).toEqual([{ id: 1 }, 2])
    const [first, second] = received
    expect(received.map(({ method, body, headers }) => [method, body, headers['content-type']])).toEqual(
      Array(2).fill(['POST', '{"item":"tea"}', 'application/json']),
    )
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(60)
  })

  test('a throttle to the end is four sends; error and response are as ever, and tell the stated wait', async () => {
    const { url, received } = await serve((_, response) =>
      answer(response, 429, { title: 'Too many orders' }, { 'retry-after-ms': '10' }),
    )
    const { error, response } = await client(url).POST('/orders', { body })
    expect([error, response.status, received.length]).toEqual([{ title: 'Too many orders' }, 429, 4])
    expect(retryAfterMs(response)).toBe(10)
    expect(outcomeOf(response)).toMatchObject({ attempts: 4, reason: 'attempts_exhausted' })
  })

  test('a body larger than maxReplayBytes is sent once', async () => {
    const { url, received } = await serve((_, response) => answer(response, 429, {}, { 'retry-after-ms': '10' }))
    const { response } = await client(url, retryPolicy({ maxReplayBytes: 8 }, quick)).POST('/orders', { body })
    expect([received.length, outcomeOf(response)?.reason]).toEqual([1, 'body_not_replayable'])
  })

  test('the caller’s abort ends the wait at once, with the caller’s reason', async () => {
    const controller = new AbortController()
    const reason = new Error('the user left')
    const { url, received } = await serve((_, response) => {
      answer(response, 429, {}, { 'retry-after': '9' })
      setTimeout(() => controller.abort(reason), 60) // by then it waits
    })
    await expect(client(url).POST('/orders', { body, signal: controller.signal })).rejects.toBe(reason)
    expect(received.length).toBe(1)
    expect(performance.now() - (received[0]?.atMs ?? 0)).toBeLessThan(8000)
  })
})
