import { createFetch, isAttemptTimeout, retryAfterMs, retryPolicy, type SluiceFetch, stripe } from '@sluice/fetch'
import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { serve } from '../server.js'
import { answer } from './answer.js'

const quick = retryPolicy({ baseMs: 1, statedJitterMs: 0 }, stripe)
const customer = { id: 'cus_1', object: 'customer' }
const failed = { error: { type: 'api_error', message: 'Try again' } }

const sdk = (url: string, fetch: SluiceFetch = createFetch({ policy: quick }), options = {}): Stripe =>
  new Stripe('sk_test_1', {
    httpClient: Stripe.createFetchHttpClient(fetch),
    maxNetworkRetries: 0,
    host: new URL(url).hostname,
    port: new URL(url).port,
    protocol: 'http',
    ...options,
  })

const create = (client: Stripe): Promise<Stripe.Customer> => client.customers.create({ email: 'a@example.com' })

describe('Stripe SDK', () => {
  test.each([409, 429, 503])(
    'a POST that meets %i is sent again with the same body and the same key',
    async (status) => {
      const { url, received } = await serve((nth, response) =>
        nth === 1 ? answer(response, status, failed, { 'retry-after-ms': '20' }) : answer(response, 200, customer),
      )
      expect(await create(sdk(url))).toMatchObject(customer)
      const keys = received.map(({ headers }) => headers['idempotency-key'])
      expect(keys).toEqual([expect.stringMatching(/^stripe-node-retry-/), keys[0]]) // Stripe's own, without retries too
      expect(received.map(({ body }) => body)).toEqual(Array(2).fill('email=a%40example.com'))
    },
  )

  test('a key of one’s own is kept; another call gets another key', async () => {
    const { url, received } = await serve((_, response) => answer(response, 200, customer))
    const client = sdk(url, createFetch({ policy: quick, idempotencyKey: true }))
    await client.customers.create({}, { idempotencyKey: 'order-1' })
    await create(client)
    await create(client)
    const [own, second, third] = received.map(({ headers }) => headers['idempotency-key'])
    expect(own).toBe('order-1')
    expect(second).not.toBe(third)
  })

  test('Stripe-Should-Retry is obeyed: false ends a 503 at once, true sends a 500 again', async () => {
    const { url, received } = await serve((nth, response) => {
      if (nth === 1) return answer(response, 503, failed, { 'stripe-should-retry': 'false' })
      if (nth === 2) return answer(response, 500, failed, { 'stripe-should-retry': 'true' })
      answer(response, 200, customer)
    })
    await expect(create(sdk(url))).rejects.toThrow(Stripe.errors.StripeAPIError)
    expect(received.length).toBe(1)
    expect(await create(sdk(url))).toMatchObject(customer)
    expect(received.length).toBe(3)
  })

  test('a throttle to the end is four sends and the SDK’s own error; its headers tell the stated wait', async () => {
    const { url, received } = await serve((_, response) => answer(response, 429, failed, { 'retry-after-ms': '20' }))
    const error = await create(sdk(url)).catch((e: unknown) => e)
    if (!(error instanceof Stripe.errors.StripeRateLimitError)) throw error
    expect([error.statusCode, error.message, received.length]).toEqual([429, 'Try again', 4])
    expect(retryAfterMs(error)).toBe(20)
  })

  test('a connection that is cut each time is four sends: the SDK adds none of its own', async () => {
    const { url, received } = await serve((_, response) => response.destroy())
    await expect(create(sdk(url))).rejects.toThrow(Stripe.errors.StripeConnectionError)
    expect([received.length, new Set(received.map(({ headers }) => headers['idempotency-key'])).size]).toEqual([4, 1])
  })

  test('the SDK’s timeout covers attempts and waits together; ours is in the error’s detail', async () => {
    const { url, received } = await serve((nth, response) => {
      if (nth === 1) answer(response, 429, failed, { 'retry-after': '9' })
    })
    await expect(create(sdk(url, undefined, { timeout: 60 }))).rejects.toThrow(/timeout being reached \(60ms\)/)
    expect(received.length).toBe(1)

    const fetch = createFetch({ policy: retryPolicy({ attemptTimeoutMs: 60, maxAttempts: 1 }, quick) })
    const error = await create(sdk(url, fetch)).catch((e: unknown) => e)
    if (!(error instanceof Stripe.errors.StripeConnectionError)) throw error
    expect(isAttemptTimeout(error.detail)).toBe(true)
  })
})
