import { createFetch, interactive, isAttemptTimeout, outcomeOf, retryAfterMs, retryPolicy } from '@sluice/fetch'
import { Agent, fetch as undiciFetch } from 'undici'
import { describe, expect, test } from 'vitest'
import { serve } from './server.js'

// Real sockets: a few milliseconds of real waiting where nothing else would show it.
const quick = retryPolicy({ baseMs: 1, statedJitterMs: 0 }, interactive)

describe('over real sockets', () => {
  test('a throttled GET comes back no earlier than the server asked, and succeeds', async () => {
    const server = await serve((nth, response) =>
      nth === 1 ? response.writeHead(429, { 'retry-after-ms': '80' }).end('slow down') : response.end('welcome'),
    )
    const response = await createFetch({ policy: quick })(server.url)
    expect(await response.text()).toBe('welcome')
    expect(outcomeOf(response)).toEqual({
      attempts: 2,
      waitedMs: expect.closeTo(80, -2),
      reason: null,
      retryAfterMs: null,
    })
    const [first, second] = server.received
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(79)
  })

  test('the last failure surfaces with its body, and says how it went', async () => {
    const server = await serve((_, response) => response.writeHead(503, { 'retry-after': '60' }).end('maintenance'))
    const response = await createFetch()(server.url)
    expect([response.status, await response.text(), response.url]).toEqual([503, 'maintenance', `${server.url}/`])
    expect(outcomeOf(response)).toEqual({ attempts: 1, waitedMs: 0, reason: 'wait_over_cap', retryAfterMs: 60_000 })
    expect(retryAfterMs(response)).toBe(60_000)
  })

  test('a small body of a failure is drained: its connection serves the retry too', async () => {
    const server = await serve((nth, response) => response.writeHead(nth < 4 ? 503 : 200).end('x'.repeat(1000)))
    const agent = new Agent()
    const response = await createFetch({ policy: quick, fetch: over(agent) })(server.url)
    await response.text()
    expect([server.received.length, server.sockets()]).toEqual([4, 1])
    await agent.close()
  })

  test('20 parallel GETs met by 429s with 256 KiB bodies over two sockets all finish', async () => {
    const agent = new Agent({ connections: 2 })
    const page = 'x'.repeat(256 * 1024)
    const seen = new Set<string>()
    const server = await serve((_, response, { path }) => {
      if (seen.has(path)) return response.end('done')
      seen.add(path)
      response.writeHead(429, { 'retry-after': '0' }).end(page)
    })
    const fetch = createFetch({ policy: quick, fetch: over(agent) })
    const texts = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => (await fetch(`${server.url}/${i}`)).text()),
    )
    expect(texts).toEqual(Array.from({ length: 20 }, () => 'done'))
    expect(server.received.length).toBe(40)
    await agent.close()
  })

  test('a body that never ends does not hold up the retry', async () => {
    const server = await serve((nth, response) => {
      if (nth > 1) return response.end('done')
      response.writeHead(429, { 'retry-after-ms': '20' }).write('and so on')
    })
    const response = await createFetch({ policy: quick })(server.url)
    expect(await response.text()).toBe('done')
  })

  test('a connection that is cut before the answer is a connection failure; a refused one too', async () => {
    const server = await serve((nth, response) => (nth < 3 ? response.destroy() : response.end('third time')))
    const response = await createFetch({ policy: quick })(server.url)
    expect([await response.text(), server.received.length]).toEqual(['third time', 3])

    const error = await createFetch({ policy: quick })('http://127.0.0.1:1/').catch((e: unknown) => e)
    expect(error).toBeInstanceOf(TypeError) // as fetch itself has it
    expect(outcomeOf(error)).toMatchObject({ attempts: 1, reason: 'not_retryable' }) // port 1 is one fetch refuses
    const { url } = await closedServer()
    const refused = await createFetch({ policy: quick })(url).catch((e: unknown) => e)
    expect(refused).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } })
    expect(outcomeOf(refused)).toMatchObject({ attempts: 4, reason: 'attempts_exhausted' })
  })

  test('R10: an answer that takes too long is asked for again', async () => {
    const server = await serve((nth, response) => void (nth === 2 && response.end('second')))
    const response = await createFetch({ policy: retryPolicy({ attemptTimeoutMs: 60 }, quick) })(server.url)
    expect(await response.text()).toBe('second')
  })

  test('R10: a body that falls silent is ended with an error that says so', async () => {
    const server = await serve((_, response) => void response.writeHead(200).write('begun'))
    const response = await createFetch({ policy: retryPolicy({ bodyIdleMs: 60 }, quick) })(server.url)
    const error = await response.text().catch((e: unknown) => e)
    expect(isAttemptTimeout(error)).toBe(true)
    expect(error).toMatchObject({ message: 'the response body fell silent within 60 ms' })
  })

  test('R10: a body that keeps coming is not silent, however long it takes', async () => {
    const server = await serve((_, response) => {
      let left = 8
      const more = setInterval(() => {
        if (--left > 0) return response.write('more ')
        clearInterval(more)
        response.end()
      }, 25)
    })
    const response = await createFetch({ policy: retryPolicy({ bodyIdleMs: 100 }, quick) })(server.url)
    expect(await response.text()).toBe('more '.repeat(7))
  })

  test('credentials are not sent across origins on a redirect', async () => {
    const other = await serve((_, response) => response.end('other'))
    const server = await serve((nth, response) =>
      nth === 1
        ? response.writeHead(503, { 'retry-after': '0' }).end()
        : response.writeHead(302, { location: other.url }).end(),
    )
    const response = await createFetch({ policy: quick })(server.url, { headers: { authorization: 'Bearer secret' } })
    expect([await response.text(), response.redirected]).toEqual(['other', true])
    expect(server.received[1]?.headers.authorization).toBe('Bearer secret')
    expect(other.received[0]?.headers).not.toHaveProperty('authorization')
  })

  test('one policy inside another sends 4 times, not 16', async () => {
    const server = await serve((_, response) => response.writeHead(503).end())
    const inner = createFetch({ policy: quick })
    const response = await createFetch({ policy: quick, fetch: inner })(server.url)
    expect([response.status, server.received.length]).toEqual([503, 4])
    expect(outcomeOf(response)).toMatchObject({ attempts: 4, reason: 'attempts_exhausted' })
  })
})

/** undici's own fetch over the given connections; its types are its own, its behaviour is the platform's. */
const over = (dispatcher: Agent): typeof fetch =>
  ((input: string, init: object) => undiciFetch(input, { ...init, dispatcher })) as unknown as typeof fetch

const closedServer = async (): Promise<{ url: string }> => {
  const { createServer } = await import('node:net')
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` }
}
