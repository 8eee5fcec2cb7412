import { Octokit } from '@octokit/core'
import { createFetch, type GiveUpEvent, github, retryPolicy, type SluiceFetch } from '@sluice/fetch'
import { describe, expect, test } from 'vitest'
import { serve } from '../server.js'
import { answer } from './answer.js'

const quick = retryPolicy({ baseMs: 1, statedJitterMs: 0 }, github)
const secondary = { message: 'You have exceeded a secondary rate limit. Please wait a few minutes.' }

const octokit = (baseUrl: string, fetch: SluiceFetch = createFetch({ policy: quick })): Octokit =>
  new Octokit({ baseUrl, request: { fetch } })

const read = (client: Octokit): Promise<{ data: unknown }> =>
  client.request('GET /repos/{owner}/{repo}', { owner: 'octocat', repo: 'hello' })
const write = (client: Octokit, request = {}): Promise<{ status: number }> =>
  client.request('POST /repos/{owner}/{repo}/issues', { owner: 'octocat', repo: 'hello', title: 'Bug', request })

describe('Octokit core', () => {
  test.each([
    ['a secondary limit (403)', 403, secondary, { 'retry-after-ms': '50' }],
    [
      'a primary limit (403)',
      403,
      { message: 'API rate limit exceeded' },
      { 'x-ratelimit-remaining': '0', 'retry-after-ms': '50' },
    ],
    ['a 429', 429, secondary, { 'retry-after-ms': '50' }],
    ['a 503', 503, { message: 'Unavailable' }, { 'retry-after-ms': '50' }],
  ])('a read that meets %s succeeds, no earlier than GitHub asked', async (_, status, body, headers) => {
    const { url, received } = await serve((nth, response) =>
      nth === 1 ? answer(response, status, body, headers) : answer(response, 200, { full_name: 'octocat/hello' }),
    )
    expect((await read(octokit(url))).data).toEqual({ full_name: 'octocat/hello' })
    const [first, second] = received
    expect(received.length).toBe(2)
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(50)
  })

  test('a secondary limit that states no wait asks for a minute: it surfaces at once', async () => {
    const { url, received } = await serve((_, response) => answer(response, 403, secondary))
    const ends: GiveUpEvent[] = []
    const fetch = createFetch({ policy: quick, onGiveUp: (event) => ends.push(event) })
    await expect(read(octokit(url, fetch))).rejects.toMatchObject({ name: 'HttpError', status: 403 })
    expect(received.length).toBe(1)
    expect(ends).toMatchObject([{ reason: 'wait_over_cap', retryAfterMs: 60_000 }])
  })

  test('a 403 that is no limit is not retried', async () => {
    const { url, received } = await serve((_, response) =>
      answer(response, 403, { message: 'Resource not accessible by personal access token' }),
    )
    await expect(read(octokit(url))).rejects.toMatchObject({ status: 403, message: /not accessible/ })
    expect(received.length).toBe(1)
  })

  test('a throttle to the end is four sends and Octokit’s own error, with the headers', async () => {
    const { url, received } = await serve((_, response) => answer(response, 429, secondary, { 'retry-after-ms': '10' }))
    await expect(read(octokit(url))).rejects.toMatchObject({
      name: 'HttpError',
      status: 429,
      response: { headers: { 'retry-after-ms': '10' } },
    })
    expect(received.length).toBe(4)
  })

  test('a POST is retried after a limit, and after a 502 only where the call is marked', async () => {
    const { url, received } = await serve((nth, response) => {
      if (nth === 1) return answer(response, 403, secondary, { 'retry-after-ms': '10' })
      answer(response, nth === 2 || nth === 5 ? 201 : 502, { message: 'Bad gateway' })
    })
    const fetch = createFetch({ policy: quick })
    expect(await write(octokit(url, fetch))).toMatchObject({ status: 201 })
    await expect(write(octokit(url, fetch))).rejects.toMatchObject({ status: 502 })
    expect(received.length).toBe(3)
    const marked = { fetch: fetch.with({ idempotent: true }) } // for this one call
    expect(await write(octokit(url, fetch), marked)).toMatchObject({ status: 201 })
    expect(received.map(({ body }) => body)).toEqual(Array(5).fill('{"title":"Bug"}'))
  })

  test('the caller’s abort ends the wait at once', async () => {
    const { url, received } = await serve((_, response) => answer(response, 429, secondary, { 'retry-after': '9' }))
    const controller = new AbortController()
    const onRetry = (): void => void setTimeout(() => controller.abort(), 20)
    const request = { signal: controller.signal }
    const call = write(octokit(url, createFetch({ policy: quick, onRetry })), request)
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    expect(received.length).toBe(1)
  })
})
