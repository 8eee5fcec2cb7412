import { createFetch, isAttemptTimeout, openai, outcomeOf, retryAfterMs, retryPolicy } from '@sluice/fetch'
import OpenAI, { APIConnectionTimeoutError, APIUserAbortError, RateLimitError } from 'openai'
import { describe, expect, test } from 'vitest'
import { serve } from '../server.js'
import { answer } from './answer.js'

const quick = retryPolicy({ baseMs: 1, statedJitterMs: 0 }, openai)
const hello = { object: 'response', output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }] }
const slowDown = { error: { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' } }
const ask = { model: 'gpt-5', input: 'Say hello' }

const sdk = (url: string, fetch: typeof globalThis.fetch = createFetch({ policy: quick }), options = {}): OpenAI =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-test', fetch, maxRetries: 0, ...options })

describe('OpenAI SDK', () => {
  test('a throttled call succeeds: two sends, the second no earlier than the service asked', async () => {
    const { url, received } = await serve((nth, response) =>
      nth === 1 ? answer(response, 429, slowDown, { 'retry-after-ms': '80' }) : answer(response, 200, hello),
    )
    const { data, response } = await sdk(url).responses.create(ask).withResponse()
    expect(data.output_text).toBe('Hello')
    expect(outcomeOf(response)).toMatchObject({ attempts: 2, reason: null })
    const [first, second] = received
    expect([received.length, second?.body]).toEqual([2, JSON.stringify(ask)])
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(80)
  })

  test('an exhausted quota surfaces at once, as the SDK’s own error with its code', async () => {
    const { url, received } = await serve((_, response) =>
      answer(response, 429, {
        error: { message: 'Pay first', type: 'insufficient_quota', code: 'insufficient_quota' },
      }),
    )
    const error = await sdk(url)
      .responses.create(ask)
      .catch((e: unknown) => e)
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ code: 'insufficient_quota', message: '429 Pay first' })
    expect(received.length).toBe(1)
  })

  test('a throttle to the end is four sends and the SDK’s own error; its headers tell the stated wait', async () => {
    const { url, received } = await serve((_, response) => answer(response, 429, slowDown, { 'retry-after-ms': '20' }))
    const error = await sdk(url)
      .responses.create(ask)
      .catch((e: unknown) => e)
    if (!(error instanceof RateLimitError)) throw error
    expect([error.status, error.code, received.length]).toEqual([429, 'rate_limit_exceeded', 4])
    expect(retryAfterMs(error)).toBe(20)
  })

  test('left on, the SDK’s two retries multiply ours: twelve sends', async () => {
    const { url, received } = await serve((_, response) => answer(response, 429, slowDown, { 'retry-after-ms': '1' }))
    await expect(sdk(url, undefined, { maxRetries: 2 }).responses.create(ask)).rejects.toThrow(RateLimitError)
    expect(received.length).toBe(12)
  })

  test('the caller’s abort ends the wait at once, and nothing more is sent', async () => {
    const { url, received } = await serve((_, response) => answer(response, 429, slowDown, { 'retry-after': '9' }))
    const controller = new AbortController()
    const onRetry = (): void => void setTimeout(() => controller.abort(), 20)
    const fetch = createFetch({ policy: quick, onRetry })
    await expect(sdk(url, fetch).responses.create(ask, { signal: controller.signal })).rejects.toThrow(
      APIUserAbortError,
    )
    expect([received.length, fetch.waiting.getSnapshot()]).toEqual([1, []])
  })

  test('the SDK’s timeout covers attempts and waits together', async () => {
    const { url, received } = await serve((_, response) => answer(response, 429, slowDown, { 'retry-after': '9' }))
    const error = await sdk(url, undefined, { timeout: 60 })
      .responses.create(ask)
      .catch((e: unknown) => e)
    expect(error).toBeInstanceOf(APIConnectionTimeoutError)
    expect(received.length).toBe(1)
  })

  test('our attempt timeout is the SDK’s timeout error; a call marked idempotent is sent again before', async () => {
    const { url, received } = await serve(() => {})
    const fetch = createFetch({ policy: retryPolicy({ attemptTimeoutMs: 60, maxAttempts: 2 }, quick) })
    await expect(sdk(url, fetch).responses.create(ask)).rejects.toThrow(APIConnectionTimeoutError)
    expect(received.length).toBe(1)
    const marked = fetch.with({ idempotent: true })
    await expect(sdk(url, marked).responses.create(ask)).rejects.toThrow(APIConnectionTimeoutError)
    expect(received.length).toBe(3)
  })

  test('a 500 is retried only on calls marked idempotent: a POST carries no key', async () => {
    const { url, received } = await serve((nth, response) => answer(response, nth === 3 ? 200 : 500, hello))
    const fetch = createFetch({ policy: quick })
    await expect(sdk(url, fetch).responses.create(ask)).rejects.toMatchObject({ status: 500 })
    const { output_text } = await sdk(url, fetch.with({ idempotent: true })).responses.create(ask)
    expect([output_text, received.length]).toEqual(['Hello', 3])
    expect(received[0]?.headers).not.toHaveProperty('idempotency-key')
  })
})

describe('OpenAI SDK, streaming', () => {
  const chunk = `data: ${JSON.stringify({ choices: [{ delta: { content: 'Hel' } }] })}\n\n`
  const stream: OpenAI.ChatCompletionCreateParamsStreaming = {
    model: 'gpt-5',
    messages: [{ role: 'user', content: 'Say hello' }],
    stream: true,
  }

  test('a throttled stream starts after the wait and arrives as it comes; ending it ends the connection', async () => {
    let closed = (): void => {}
    const gone = new Promise<void>((resolve) => {
      closed = resolve
    })
    const { url } = await serve((nth, response) => {
      if (nth === 1) return answer(response, 429, slowDown, { 'retry-after-ms': '20' })
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunk) // and never ends
      response.on('close', closed)
    })
    for await (const { choices } of await sdk(url).chat.completions.create(stream)) {
      expect(choices[0]?.delta.content).toBe('Hel')
      break
    }
    await gone
  })

  test('a stream that falls silent ends with an error once bodyIdleMs is set, and is not sent again', async () => {
    const { url, received } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunk)
    })
    const fetch = createFetch({ policy: retryPolicy({ bodyIdleMs: 60 }, quick) })
    const texts: unknown[] = []
    const error = await (async () => {
      for await (const { choices } of await sdk(url, fetch).chat.completions.create(stream))
        texts.push(choices[0]?.delta.content)
    })().catch((e: unknown) => e)
    expect([texts, isAttemptTimeout(error), received.length]).toEqual([['Hel'], true, 1])
  })
})
