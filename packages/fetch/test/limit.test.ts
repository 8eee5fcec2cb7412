import { VirtualClock } from '@sluice/core/testing'
import {
  AdaptiveSemaphore,
  clickhouseElapsed,
  createFetch,
  headerLatency,
  type LatencyOf,
  Limiters,
  outcomeOf,
  retryPolicy,
  serverTiming,
} from '@sluice/fetch'
import { describe, expect, test, vi } from 'vitest'
import { serve } from './server.js'

const policy = retryPolicy({ baseMs: 0, statedJitterMs: 0 })
const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
/** A body that comes in pieces, and ends only when told. */
const open = (): { body: ReadableStream<Uint8Array>; end(text?: string): void; fail(error: unknown): void } => {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
    },
  })
  const end = (text?: string): void => {
    if (text !== undefined) controller?.enqueue(bytes(text))
    controller?.close()
  }
  return { body, end, fail: (error) => controller?.error(error) }
}

describe('L12: a slot lasts until the end of the body', () => {
  const limited = (respond: () => Response, more: object = {}) => {
    const clock = new VirtualClock()
    const limit = new AdaptiveSemaphore({ clock, maxConcurrent: 4 })
    const fetch = createFetch({ fetch: async () => respond(), clock, limit, policy, ...more })
    return { clock, limit, fetch }
  }
  const url = 'https://service.test/'

  test('read', async () => {
    const { body, end } = open()
    const { limit, fetch } = limited(() => new Response(body))
    const response = await fetch(url)
    expect(limit.snapshot().inFlight).toBe(1)
    end('whole')
    expect(await response.text()).toBe('whole')
    expect(limit.snapshot().inFlight).toBe(0)
  })

  test('cancelled, failed, aborted, silent', async () => {
    const signals = new AbortController()
    const bodies = [open(), open(), open(), open()]
    const { clock, limit, fetch } = limited(() => new Response(bodies[next++]?.body), {
      policy: retryPolicy({ bodyIdleMs: 100 }, policy),
    })
    let next = 0
    const responses = [await fetch(url), await fetch(url), await fetch(url, signals), await fetch(url)]
    expect(limit.snapshot().inFlight).toBe(4)
    await responses[0]?.body?.cancel()
    expect(limit.snapshot().inFlight).toBe(3)
    bodies[1]?.fail(new Error('broke off'))
    await expect(responses[1]?.text()).rejects.toThrow('broke off')
    expect(limit.snapshot().inFlight).toBe(2)
    signals.abort()
    await expect(responses[2]?.text()).rejects.toThrow('aborted')
    expect(limit.snapshot().inFlight).toBe(1)
    const silent = expect(responses[3]?.text()).rejects.toThrow('100 ms')
    await clock.run(silent)
    expect(limit.snapshot().inFlight).toBe(0)
  })

  test('to headers where that is asked for; a failure frees it unread, and an answer without a body at once', async () => {
    const { limit, fetch } = limited(() => new Response(open().body), { slotUntil: 'headers' })
    await fetch(url)
    expect(limit.snapshot().inFlight).toBe(0)
    const failing = limited(() => new Response(open().body, { status: 404 }))
    await failing.fetch(url)
    expect(failing.limit.snapshot().inFlight).toBe(0)
    const empty = limited(() => new Response(null, { status: 204 }))
    await empty.fetch(url)
    expect(empty.limit.snapshot().inFlight).toBe(0)
  })

  test('an answer that is retried gives it back before the wait', async () => {
    const answers = [new Response('no', { status: 429, headers: { 'retry-after': '1' } }), new Response('yes')]
    const { clock, limit, fetch } = limited(() => answers.shift() ?? Response.error())
    const call = fetch(url)
    const seen: number[] = []
    clock.timer(500, () => seen.push(limit.snapshot().inFlight))
    const response = await clock.run(call)
    expect(seen).toEqual([0])
    expect(await response.text()).toBe('yes')
    expect(limit.snapshot()).toMatchObject({ inFlight: 0, limit: 2 })
  })
})

describe('L10: one limit a key', () => {
  const answer = async (input: unknown): Promise<Response> =>
    String(input).includes('busy')
      ? new Response('', { status: 429, headers: { 'retry-after': '60' } })
      : new Response('ok')

  test('of the origin, or as the caller says', async () => {
    const clock = new VirtualClock()
    const limit = new Limiters({ clock })
    const once = retryPolicy({ maxAttempts: 1 }, policy)
    const fetch = createFetch({ fetch: answer, clock, limit, policy: once })
    await fetch('https://busy.test/a')
    await expect(fetch('https://busy.test/b')).rejects.toMatchObject({ reason: 'held', retryAfterMs: 60_000 })
    expect((await fetch('https://other.test/')).status).toBe(200)
    const keyed = createFetch({ fetch: answer, clock, limit, policy: once, limitKey: () => 'https://busy.test' })
    await expect(keyed('https://other.test/')).rejects.toMatchObject({ reason: 'held' })
    expect([...limit].map(([key]) => key)).toContain('https://other.test')
    await expect(createFetch({ limit })('no url')).rejects.toThrow(TypeError)
  })

  test('what a rule lets past takes no slot, is not held, is no sample, and is counted', async () => {
    const clock = new VirtualClock()
    const limit = new AdaptiveSemaphore({ clock, maxConcurrent: 1 })
    const fetch = createFetch({ fetch: answer, clock, limit, policy, letPast: (url) => url.endsWith('/healthz') })
    limit.report({ kind: 'throttle', retryAfterMs: 60_000 })
    expect((await fetch('https://service.test/healthz')).status).toBe(200)
    expect(limit.snapshot().inFlight).toBe(0)
    expect(fetch.with({ maxAttempts: 2 }).passed.count).toBe(1)
    await expect(fetch('https://service.test/')).rejects.toMatchObject({ reason: 'held' })
  })
})

describe("L2: the server's own figure", () => {
  const measured = async (
    latencyOf: LatencyOf | undefined,
    respond: () => Response,
    read = true,
  ): Promise<number | null> => {
    const clock = new VirtualClock()
    const limit = new AdaptiveSemaphore({ clock, windowMs: 1000, minSamples: 1 })
    const slow = async (): Promise<Response> => {
      await new Promise<void>((resolve) => void clock.timer(300, resolve))
      return respond()
    }
    const response = await clock.run(
      createFetch({ fetch: slow, clock, limit, policy, latencyOf })('https://service.test/'),
    )
    await (read ? response.text() : response.body?.cancel())
    await clock.run(new Promise<void>((resolve) => void clock.timer(1000, resolve)))
    return limit.snapshot().p90Ms
  }
  const json = { headers: { 'content-type': 'application/json; charset=UTF-8' } }
  const statistics = '"statistics":\n\t{\n\t\t"elapsed": 0.012,\n\t\t"rows_read": 5\n\t}\n}\n'

  test.each<[string, LatencyOf | undefined, () => Response, number | null]>([
    ['time to headers', undefined, () => new Response('x'), 300],
    ['statistics.elapsed', clickhouseElapsed, () => new Response(`{"data": [], ${statistics}`, json), 12],
    [
      'after far more than 4 KiB',
      clickhouseElapsed,
      () => new Response(`{"data": "${'x'.repeat(1e6)}", ${statistics}`, json),
      12,
    ],
    [
      'the last, where data says the like',
      clickhouseElapsed,
      () => new Response(`{"data": ["\\"statistics\\": {\\"elapsed\\": 9}"], ${statistics}`, json),
      12,
    ],
    ['none in it: time to headers', clickhouseElapsed, () => new Response('{"data": []}', json), 300],
    ['no JSON: time to headers', clickhouseElapsed, () => new Response(statistics), 300],
    ['a header', headerLatency('x-took'), () => new Response('', { headers: { 'x-took': '42' } }), 42],
    ['a header in µs', headerLatency('x-took', 'us'), () => new Response('', { headers: { 'x-took': '42000' } }), 42],
    [
      'a header that is no number',
      headerLatency('x-took'),
      () => new Response('', { headers: { 'x-took': 'long' } }),
      300,
    ],
    [
      'Server-Timing',
      serverTiming('node'),
      () => new Response('', { headers: { 'server-timing': 'elapsed;dur=8.1, node;desc="all";dur=12.5' } }),
      12.5,
    ],
  ])('%s', async (_, latencyOf, respond, ms) => {
    expect(await measured(latencyOf, respond)).toBe(ms)
  })

  test('a body that is not read to its end says nothing', async () => {
    expect(await measured(clickhouseElapsed, () => new Response(`{${statistics}`, json), false)).toBe(null)
  })

  test('what a reader throws fails the body, and keeps no slot', async () => {
    const clock = new VirtualClock()
    const limit = new AdaptiveSemaphore({ clock })
    const latencyOf = () => () => {
      throw new Error('no such figure')
    }
    const fetch = createFetch({ fetch: async () => new Response('x'), clock, limit, policy, latencyOf })
    const response = await fetch('https://service.test/')
    await expect(response.text()).rejects.toThrow('no such figure')
    expect(limit.snapshot().inFlight).toBe(0)
  })

  test('what a reader throws of the headers ends the call, the body and the slot', async () => {
    const clock = new VirtualClock()
    const limit = new AdaptiveSemaphore({ clock })
    const thrown = new Error('no such header')
    const latencyOf = (): never => {
      throw thrown
    }
    const cancelled = vi.fn()
    const answer = async () => new Response(new ReadableStream({ cancel: cancelled }))
    const fetch = createFetch({ fetch: answer, clock, limit, policy, latencyOf })
    await expect(fetch('https://service.test/')).rejects.toBe(thrown)
    expect(cancelled.mock.calls).toEqual([[thrown]])
    expect(limit.snapshot().inFlight).toBe(0)
  })

  test('a failure is no sample, whatever it says', async () => {
    const failed = () => new Response('', { status: 404, headers: { 'x-took': '42' } })
    expect(await measured(headerLatency('x-took'), failed)).toBe(null)
  })

  test('the figure is found while the body streams: the reader gets each piece as it comes', async () => {
    const { body, end } = open()
    const clock = new VirtualClock()
    const limit = new AdaptiveSemaphore({ clock })
    const answer = async (): Promise<Response> => new Response(body, json)
    const response = await createFetch({ fetch: answer, clock, limit, latencyOf: clickhouseElapsed })('https://s.test/')
    const reader = response.body?.getReader()
    end('{"first": 1}')
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('{"first": 1}')
    expect(await reader?.read()).toEqual({ done: true, value: undefined })
  })
})

describe('over a real socket', () => {
  test('never more in flight than the limit, and one 429 with a wait holds them all', async () => {
    let [flying, most] = [0, 0]
    const arrivedAt: number[] = []
    const server = await serve((nth, response) => {
      arrivedAt.push(performance.now())
      most = Math.max(most, ++flying)
      setTimeout(() => {
        flying--
        if (nth === 5) response.writeHead(429, { 'retry-after': '1' }).end()
        else response.end('ok')
      }, 20)
    })
    const limit = new AdaptiveSemaphore({ maxConcurrent: 3 })
    const fetch = createFetch({ limit, policy })
    const calls = Array.from({ length: 10 }, async () => {
      const response = await fetch(server.url)
      await response.text()
      return [response.status, outcomeOf(response)?.attempts]
    })
    const ends = await Promise.all(calls)
    expect(ends.filter(([status]) => status === 200)).toHaveLength(10)
    expect(ends.filter(([, attempts]) => attempts === 2)).toHaveLength(1)
    expect(most).toBe(3)
    const gaps = arrivedAt.slice(1).map((at, i) => at - (arrivedAt[i] ?? at))
    expect(Math.max(...gaps)).toBeGreaterThanOrEqual(900) // what was in flight with it may have ended later
    expect(limit.snapshot().inFlight).toBe(0)
  })
})

test('options are checked when they are given', () => {
  const wrong = [{ limit: 35 }, { slotUntil: 'end' }, { latencyOf: 5 }, { letPast: true }, { limitKey: 'origin' }]
  for (const options of wrong)
    expect(() => createFetch(options as never)).toThrow(new RegExp(`createFetch: ${Object.keys(options)[0]} must be`))
})
