import { VirtualClock } from '@sluice/core/testing'
import { AdaptiveSemaphore, createFetch, headerLatency, type LatencyOf, retryPolicy, serverTiming } from '@sluice/fetch'
import { describe, expect, test } from 'vitest'

const url = 'https://service.test/'
const policy = retryPolicy({ baseMs: 0 })
const setUp = (respond: () => Response | Promise<Response>, more: object = {}) => {
  const clock = new VirtualClock()
  const limit = new AdaptiveSemaphore({ clock, windowMs: 1000, minSamples: 1 })
  let sends = 0
  const answer = async (): Promise<Response> => {
    sends++
    return respond()
  }
  const fetch = createFetch({ fetch: answer, clock, limit, policy, random: () => 0, ...more })
  return { clock, limit, fetch, sends: () => sends }
}

describe('L12: an answer that callers leave alone keeps no slot', () => {
  test.each<[string, () => Response]>([
    ['an empty one', () => new Response('', { headers: { 'content-length': '0' } })],
    ['a redirect that was not followed', () => new Response('moved', { status: 302, headers: { location: '/there' } })],
    ['a failure', () => new Response('not found', { status: 404 })],
  ])('%s', async (_, respond) => {
    const { limit, fetch } = setUp(respond)
    await fetch(url)
    expect(limit.snapshot().inFlight).toBe(0)
  })
})

describe('a reader of latency', () => {
  test.each<[string, LatencyOf | (() => never)]>([
    ['with a fault of its own', (response) => (response.headers.get('x-none') as string).length],
    ['for a header that cannot be', headerLatency('not a name')],
  ])('%s ends the call, and what went well is not sent again', async (_, latencyOf) => {
    const { limit, fetch, sends } = setUp(() => new Response('ok'), { latencyOf })
    await expect(fetch(url)).rejects.toBeInstanceOf(TypeError)
    expect(sends()).toBe(1)
    expect(limit.snapshot().inFlight).toBe(0)
  })

  test.each([
    ['node;desc="a, b";dur=5', 5],
    ['node;desc="x;dur=1";dur=5', 5],
    ['cache;desc="node;dur=7", node;dur="6"', 6],
    ['node;desc="never closed;dur=5', null],
    [`${'x,'.repeat(10_000)}node;dur=5`, null],
  ])('Server-Timing: %s', (header, ms) => {
    expect(serverTiming('node')(new Response('', { headers: { 'server-timing': header } }))).toBe(ms)
  })

  test('an attempt is one sample, also where it answers after it timed out', async () => {
    const latencyOf: LatencyOf = () => () => 10
    let answer = (_response: Response): void => {}
    const deaf = () =>
      new Promise<Response>((resolve) => {
        answer = resolve
      })
    const { clock, limit, fetch } = setUp(deaf, {
      latencyOf,
      policy: retryPolicy({ attemptTimeoutMs: 30, maxAttempts: 1 }),
    })
    await expect(clock.run(fetch(url))).rejects.toThrow('30 ms')
    answer(new Response('late'))
    await clock.advance(1000)
    expect(limit.snapshot().p90Ms).toBe(30)
  })
})

test('a limiter that cannot lend slots is refused when it is given', () => {
  expect(() => createFetch({ limit: { acquire() {} } as never })).toThrow('createFetch: limit must be')
})
