import {
  ApiError,
  ClientBuilder,
  interactive,
  isApiError,
  isThrottled,
  outcomeOf,
  retryAfterMs,
  retryPolicy,
  unwrap,
} from '@sluice/client'
import { ThrottledError } from '@sluice/fetch'
import { describe, expect, test } from 'vitest'
import { serve } from '../../fetch/test/server.js'
import { closedUrl } from './closed-url.js'

const once = retryPolicy({ maxAttempts: 1 }, interactive)
const problem = { type: 'urn:sluice:problem:rate-limited', title: 'Rate limited', status: 429, detail: 'Come back.' }
const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (value) => {
      throw new Error(`it resolved with ${String(value)}`)
    },
    (error: unknown) => error,
  )

const throttled = () =>
  serve((_, response) =>
    response
      .writeHead(429, { 'content-type': 'application/problem+json; charset=utf-8', 'retry-after': '7' })
      .end(JSON.stringify(problem)),
  )

describe('unwrap', () => {
  test('a throttle is an ApiError with all that is known, and a ThrottledError as its cause', async () => {
    const { url } = await throttled()
    const error = await thrownBy(unwrap(new ClientBuilder(url).retry(once).build().listPipes()))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      name: 'ApiError',
      message: 'rate limited; server asked to retry in 7s',
      ...{ status: 429, retryAfterMs: 7000, attempts: 1, waitedMs: 0, reason: 'attempts_exhausted', problem },
    })
    expect((error as ApiError).cause).toBeInstanceOf(ThrottledError)
    expect((error as ApiError).headers?.get('retry-after')).toBe('7')
  })

  test('takes a result or its promise', async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{"title":"No such pipe"}'),
    )
    const client = new ClientBuilder(url).build()
    const result = await client.runPipe({ path: { name: 'x' } })
    expect(result.error).toEqual({ title: 'No such pipe' })
    for (const call of [unwrap(result), unwrap({ ...result }), unwrap(client.runPipe({ path: { name: 'x' } }))])
      expect(await thrownBy(call)).toMatchObject({
        message: 'HTTP 404: No such pipe',
        status: 404,
        reason: 'not_retryable',
      })
  })

  test('throwOnError throws the same error', async () => {
    const { url } = await throttled()
    const client = new ClientBuilder(url).retry(once).build()
    expect(await thrownBy(client.listPipes({ throwOnError: true }))).toMatchObject({
      name: 'ApiError',
      status: 429,
      problem,
    })
  })

  test('no answer: status null, and what the transport failed with as its cause', async () => {
    const client = new ClientBuilder(await closedUrl()).retry(once).build()
    const error = await thrownBy(unwrap(client.listPipes()))
    expect(error).toMatchObject({
      ...{ name: 'ApiError', message: 'connection failed (ECONNREFUSED) after 1 attempt' },
      ...{ status: null, retryAfterMs: null, attempts: 1, reason: 'attempts_exhausted', problem: null },
    })
    expect((error as ApiError).cause).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } })
    expect(isThrottled(error)).toBe(false)
  })

  test.each<[number, string]>([
    [200, '{"pipes":['],
    [404, '{"title":'],
  ])('an answer (HTTP %i) that breaks off is an ApiError', async (status, start) => {
    const { url } = await serve((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write(start, () => response.destroy())
    })
    const error = await thrownBy(unwrap(new ClientBuilder(url).build().listPipes()))
    expect(error).toMatchObject({
      name: 'ApiError',
      status,
      message: `the body of an answer (HTTP ${status}) could not be read`,
    })
    expect((error as ApiError).cause).toBeInstanceOf(Error)
  })

  test.each([new Error('enough'), 'a text', 0, null])(
    "an abort rejects with the caller's own reason: %s",
    async (reason) => {
      const controller = new AbortController()
      const { url } = await serve((_, response) => {
        response.writeHead(429, { 'retry-after': '5' }).end()
        setTimeout(() => controller.abort(reason), 20)
      })
      const client = new ClientBuilder(url).build()
      expect(await thrownBy(unwrap(client.listPipes({ signal: controller.signal })))).toBe(reason)
    },
  )

  test('an abort while the body comes in is one too', async () => {
    const controller = new AbortController()
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"pipes":[')
      setTimeout(() => controller.abort('enough'), 50)
    })
    const client = new ClientBuilder(url).build()
    expect(await thrownBy(unwrap(client.listPipes({ signal: controller.signal })))).toBe('enough')
  })

  test('a function that gives no token fails the call, is not repeated, and says so', async () => {
    const { url, received } = await serve((_, response) => response.end())
    let asked = 0
    const client = new ClientBuilder(url)
      .bearer(() => {
        asked++
        return JSON.parse('null').token // a TypeError, as a failed connection is one
      })
      .build()
    const error = await thrownBy(unwrap(client.listPipes()))
    expect(error).toMatchObject({
      name: 'ApiError',
      message: 'the function given to .bearer() gave no token',
      status: null,
      reason: 'not_retryable',
    })
    expect([asked, received.length]).toEqual([1, 0])
  })

  test('what cannot be sent is refused as it is', async () => {
    const client = new ClientBuilder('http://a.test').build()
    await expect(client.listPipes({ headers: { 'X-Tenant-ID': 'a\nb' } })).rejects.toThrow(TypeError)
  })
})

test('the questions are answered through causes, and by another copy of the package', async () => {
  const copy = '../dist/index.js?another-copy'
  const other = (await import(copy)) as typeof import('@sluice/client')
  expect(other.ApiError).not.toBe(ApiError)
  const { url } = await throttled()
  const error = await thrownBy(unwrap(new ClientBuilder(url).retry(once).build().listPipes()))
  const wrapped = new Error('job failed', { cause: new AggregateError([new Error('no'), error]) })
  for (const questions of [{ isThrottled, retryAfterMs }, other]) {
    expect(questions.isThrottled(wrapped)).toBe(true)
    expect(questions.retryAfterMs(wrapped)).toBe(7000)
  }
  expect([isApiError(error), other.isApiError(error), isApiError(wrapped), isApiError(null)]).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(outcomeOf(error)).toMatchObject({ attempts: 1, reason: 'attempts_exhausted' })
})
