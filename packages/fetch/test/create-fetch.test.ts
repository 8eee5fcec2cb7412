import { VirtualClock } from '@sluice/core/testing'
import {
  createFetch,
  disabled,
  type FetchOptions,
  github,
  outcomeOf,
  type RetryEvent,
  retryAfterMs,
  retryPolicy,
} from '@sluice/fetch'
import { describe, expect, test } from 'vitest'

type Answer = () => Response
const throttled: Answer = () => new Response('slow down', { status: 429, headers: { 'retry-after': '2' } })
const fine: Answer = () => new Response('fine')

/** A fetch over answers in turn, the last repeating, on virtual time. */
const scripted = (answers: Answer[], options: FetchOptions = {}) => {
  const clock = new VirtualClock()
  const sent: [RequestInfo | URL, RequestInit | undefined][] = []
  const transport = async (...args: [RequestInfo | URL, RequestInit?]): Promise<Response> => {
    sent.push([args[0], args[1]])
    const answer = answers[Math.min(sent.length, answers.length) - 1] ?? fine
    return answer()
  }
  return { clock, sent, fetch: createFetch({ clock, fetch: transport, policy: retryPolicy(), ...options }) }
}

const failing = (error: unknown): Answer => {
  return () => {
    throw error
  }
}

describe('R3: a TypeError from fetch', () => {
  test('that says nothing more is a connection failure, as in browsers', async () => {
    const error = new TypeError('Failed to fetch')
    const { fetch, clock, sent } = scripted([failing(error), fine])
    expect((await clock.run(fetch('https://service.test/'))).status).toBe(200)
    expect(sent.length).toBe(2)
  })

  test('whose cause is a request that Deno could not send is one too', async () => {
    const cause = new Error(
      'error sending request for url (…): client error (Connect): tcp connect error: Connection refused',
    )
    const { fetch, clock, sent } = scripted([failing(new TypeError('fetch failed', { cause })), fine])
    expect((await clock.run(fetch('https://service.test/'))).status).toBe(200)
    expect(sent.length).toBe(2)
  })

  test.each<[string, TypeError]>([
    ['has a cause without a code', new TypeError('fetch failed', { cause: new Error('redirect count exceeded') })],
    ['has a cause with an unknown code', new TypeError('fetch failed', { cause: { code: 'ERR_INVALID_URL' } })],
    [
      'speaks of a certificate, as in Deno',
      new TypeError('fetch failed', { cause: new Error('error sending request: invalid peer certificate: Expired') }),
    ],
    [
      'speaks of a name that is not known, as in Deno',
      new TypeError('fetch failed', {
        cause: new Error('error sending request: client error (Connect): dns error: …'),
      }),
    ],
  ])('that %s is reported at once', async (_, error) => {
    const { fetch, sent } = scripted([failing(error)])
    await expect(fetch('https://service.test/')).rejects.toBe(error)
    expect(sent.length).toBe(1)
    expect(outcomeOf(error)).toMatchObject({ attempts: 1, reason: 'not_retryable' })
  })

  test.each<[string, string, RequestInit | undefined]>([
    ['a bad URL', 'https://', undefined],
    ['a bad header', 'https://service.test/', { headers: { 'bad name': '1' } }],
    ['a GET with a body', 'https://service.test/', { method: 'GET', body: 'x' }],
  ])('about %s is reported at once', async (_, url, init) => {
    const { fetch, sent } = scripted([failing(new TypeError('Failed to fetch'))])
    await expect(fetch(url, init)).rejects.toThrow(TypeError)
    expect(sent.length).toBeLessThanOrEqual(1)
  })
})

test("the platform's own fetch refuses a bad URL by its own words, at once", async () => {
  await expect(createFetch()('not a url')).rejects.toMatchObject({ message: 'Failed to parse URL from not a url' })
})

test('the platform fetch is looked up at each call, so that it can be patched later', async () => {
  const fetch = createFetch()
  const original = globalThis.fetch
  globalThis.fetch = async () => new Response('patched')
  try {
    expect(await (await fetch('https://service.test/')).text()).toBe('patched')
  } finally {
    globalThis.fetch = original
  }
})

describe('.with()', () => {
  test('changes the policy for its calls alone, and shares what waits', async () => {
    const { fetch, clock, sent } = scripted([throttled])
    const once = fetch.with({ maxAttempts: 1 })
    expect(once.waiting).toBe(fetch.waiting)
    expect((await once('https://service.test/')).status).toBe(429)
    expect(sent.length).toBe(1)
    await clock.run(fetch('https://service.test/'))
    expect(sent.length).toBe(5)
  })

  test('marks a call idempotent (R2)', async () => {
    const { fetch, clock, sent } = scripted([() => new Response(null, { status: 503 }), fine])
    const init = { method: 'POST', body: 'x' }
    expect((await clock.run(fetch.with({ idempotent: true })('https://service.test/', init))).status).toBe(200)
    expect(sent.length).toBe(2)
  })

  test('refuses bad options by name and value', () => {
    expect(() => createFetch().with({ maxAttempts: 0 })).toThrow('maxAttempts must be an integer of at least 1; got 0')
  })

  test('the disabled preset leaves retries to somebody else', async () => {
    const { fetch, sent } = scripted([throttled], { policy: disabled })
    const response = await fetch('https://service.test/')
    expect([response.status, sent.length, retryAfterMs(response)]).toEqual([429, 1, 2000])
  })
})

describe('R4: a failure that is classified by its body', () => {
  const secondary = 'You have exceeded a secondary rate limit. '
  const forbidden =
    (body: string): Answer =>
    () =>
      new Response(body, { status: 403 })

  test('still has its whole body when it surfaces', async () => {
    const long = secondary + 'x'.repeat(100_000)
    const { fetch, clock } = scripted([forbidden(long)], { policy: github })
    const response = await clock.run(fetch('https://service.test/'))
    expect(outcomeOf(response)).toMatchObject({ attempts: 1, reason: 'wait_over_cap', retryAfterMs: 60_000 })
    expect(await response.text()).toBe(long)
  })

  test('is judged by its first 16 KiB', async () => {
    const late = 'x'.repeat(16_384 - 10) + secondary
    const { fetch, clock } = scripted([forbidden(late)], { policy: github })
    const response = await clock.run(fetch('https://service.test/'))
    expect(outcomeOf(response)).toMatchObject({ reason: 'not_retryable' })
    expect(await response.text()).toBe(late)
  })
})

describe('the calls that are being retried', () => {
  test('are listed until they end, without secrets, in a snapshot that keeps its identity', async () => {
    const { fetch, clock } = scripted([throttled, throttled, fine], { random: () => 0 })
    const { subscribe, getSnapshot } = fetch.waiting
    const seen: (readonly unknown[])[] = []
    const unsubscribe = subscribe(() => seen.push(getSnapshot()))
    const empty = getSnapshot()
    expect(getSnapshot()).toBe(empty)
    const begun = clock.wallNow()
    await clock.run(
      fetch('https://user:password@service.test/path?token=secret#fragment', { method: 'PUT', body: 'x' }),
    )
    const cause = { class: 'throttle', status: 429, offline: false }
    const call = { id: expect.any(Number), method: 'PUT', url: 'https://service.test/path', ...cause }
    const [second, third] = [
      { ...call, attempt: 2, untilMs: begun + 2000 },
      { ...call, attempt: 3, untilMs: begun + 4000 },
    ]
    expect(seen).toEqual([
      [{ ...second, inFlight: false }],
      [{ ...second, inFlight: true }],
      [{ ...third, inFlight: false }],
      [{ ...third, inFlight: true }],
      [],
    ])
    unsubscribe()
    await clock.run(fetch('https://service.test/'))
    expect(seen.length).toBe(5)
  })

  test('a listener that throws is told apart from the calls', async () => {
    const { fetch, clock } = scripted([throttled, fine])
    const thrown: unknown[] = []
    const listeners = process.rawListeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    process.on('uncaughtException', (error) => thrown.push(error))
    fetch.waiting.subscribe(() => {
      throw new Error('a fault of the page')
    })
    expect((await clock.run(fetch('https://service.test/'))).status).toBe(200)
    process.removeAllListeners('uncaughtException')
    for (const listener of listeners) process.on('uncaughtException', listener as NodeJS.UncaughtExceptionListener)
    expect(thrown).toEqual(Array(3).fill(new Error('a fault of the page'))) // it waits, is in flight, and is over
  })

  test('several at once, oldest first', async () => {
    const { fetch, clock } = scripted([throttled])
    const calls = Promise.all([fetch('https://service.test/a'), fetch('https://service.test/b')])
    await clock.advance(10)
    const urls = fetch.waiting.getSnapshot().map(({ url }) => url)
    expect(urls).toEqual(['https://service.test/a', 'https://service.test/b'])
    await clock.run(calls)
    expect(fetch.waiting.getSnapshot()).toEqual([])
  })
})

test('observers and the logger hear of retries, and no line holds a URL or a header', async () => {
  const events: RetryEvent[] = []
  const lines: string[] = []
  const note = (line: string): void => void lines.push(line)
  const { fetch, clock } = scripted([throttled, fine], {
    onRetry: (event) => events.push(event),
    logger: { warn: note, debug: note },
  })
  await clock.run(fetch('https://service.test/?token=secret', { headers: { authorization: 'Bearer secret' } }))
  expect(events).toMatchObject([{ attempt: 2, waitMs: 2000, retryAfterMs: 2000, class: 'throttle' }])
  expect(lines).toEqual(['rate limited; retrying in 2000 ms (attempt 2)'])
})

test('retryAfterMs reads any failed response, also one that never went through here', () => {
  const headers = { 'retry-after': '3' }
  expect(retryAfterMs(new Response(null, { status: 404, headers }))).toBe(3000)
  expect(retryAfterMs(new Response(null, { status: 200, headers }))).toBe(null)
  expect(retryAfterMs(new Response(null, { status: 429, headers: { ratelimit: '"a";r=0;t=4' } }))).toBe(4000)
  expect(retryAfterMs(new Error('x', { cause: { retryAfterMs: 5 } }))).toBe(5)
  expect(retryAfterMs('nothing')).toBe(null)
})
