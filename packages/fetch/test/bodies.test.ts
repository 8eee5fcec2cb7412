import { VirtualClock } from '@sluice/core/testing'
import { createFetch, interactive, outcomeOf, retryPolicy } from '@sluice/fetch'
import { describe, expect, test } from 'vitest'
import { serve } from './server.js'

const policy = retryPolicy({ baseMs: 0, statedJitterMs: 0 }, interactive)
const throttleOnce = () =>
  serve((nth, response) => response.writeHead(nth === 1 ? 429 : 200, nth === 1 ? { 'retry-after': '0' } : {}).end())

const form = (): FormData => {
  const data = new FormData()
  data.set('name', 'value')
  data.set('file', new Blob(['contents']), 'file.txt')
  return data
}
/** The boundary of a form is random. */
const plain = (body: string | undefined): string | undefined => body?.replace(/-{2,}\S+/g, '--')

describe('R13: a body that can be read again is sent again, byte for byte', () => {
  test.each<[string, () => RequestInit['body'], string]>([
    ['a string', () => '{"a":1}', '{"a":1}'],
    ['bytes', () => new TextEncoder().encode('bytes'), 'bytes'],
    ['an ArrayBuffer', () => new TextEncoder().encode('buffer').buffer, 'buffer'],
    ['a Blob', () => new Blob(['blob']), 'blob'],
    ['URLSearchParams', () => new URLSearchParams({ q: 'a b' }), 'q=a+b'],
  ])('%s, in init and in a Request', async (_, make, text) => {
    const server = await throttleOnce()
    const init = (): RequestInit => ({
      method: 'POST',
      body: make() ?? null,
      headers: { 'content-type': 'text/x-own' },
    })
    const fetch = createFetch({ policy })
    expect((await fetch(server.url, init())).status).toBe(200)
    const other = await throttleOnce()
    expect((await fetch(new Request(other.url, init()))).status).toBe(200)
    for (const { received } of [server, other]) {
      expect(received.map(({ body }) => body)).toEqual([text, text])
      expect(received.map(({ headers }) => headers['content-type'])).toEqual(['text/x-own', 'text/x-own'])
      expect(received.map(({ headers }) => headers['content-length'])).toEqual([`${text.length}`, `${text.length}`])
    }
  })

  test.each([
    ['in init', (url: string) => [url, { method: 'POST', body: form() }] as const],
    ['in a Request', (url: string) => [new Request(url, { method: 'POST', body: form() })] as const],
  ])('a form, %s', async (_, args) => {
    const server = await throttleOnce()
    const [input, init] = args(server.url)
    expect((await createFetch({ policy })(input, init)).status).toBe(200)
    const [first, second] = server.received
    expect(plain(first?.body)).toContain('contents')
    expect(plain(second?.body)).toBe(plain(first?.body))
    for (const { body, headers } of server.received)
      expect(headers['content-type']).toContain(body.split('\r\n')[0]?.slice(2))
  })

  test("a Request's body up to maxReplayBytes, and not one byte more", async () => {
    const limit = retryPolicy({ maxReplayBytes: 1000 }, policy)
    const fits = await throttleOnce()
    const sent = await createFetch({ policy: limit })(new Request(fits.url, { method: 'POST', body: 'x'.repeat(1000) }))
    expect([sent.status, fits.received[1]?.body.length]).toEqual([200, 1000])
    const over = await throttleOnce()
    const once = await createFetch({ policy: limit })(new Request(over.url, { method: 'POST', body: 'x'.repeat(1001) }))
    expect([once.status, over.received.map(({ body }) => body.length)]).toEqual([429, [1001]])
    expect(outcomeOf(once)).toMatchObject({ attempts: 1, reason: 'body_not_replayable', retryAfterMs: 0 })
  })
})

describe("R13: a Request's body that comes in later than the answer", () => {
  /** A server that does not wait for a body, and a Request whose body is written to by hand. */
  const early = (status = 429) => {
    const clock = new VirtualClock()
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const init = { method: 'POST', body: readable, duplex: 'half' } as RequestInit // Node's, beyond lib.dom
    const sent: unknown[] = []
    const transport = async (_: unknown, init?: RequestInit): Promise<Response> => {
      if (sent.push(init?.body && new TextDecoder().decode(init.body as Uint8Array)) > 1) return new Response('fine')
      if (status === 0) throw Object.assign(new TypeError('fetch failed'), { code: 'ECONNREFUSED' })
      return new Response('no', { status })
    }
    const fetch = createFetch({ policy, clock, fetch: transport, idempotent: status === 0 })
    const request = new Request('http://api.test/', init)
    return {
      clock,
      sent,
      request,
      fetch,
      write: (text: string) => void writer.write(new TextEncoder().encode(text)),
      writer,
    }
  }

  test.each([429, 0])('is waited for, for a second: after status %s it is sent again', async (status) => {
    const { clock, sent, request, fetch, write, writer } = early(status)
    const call = fetch(request)
    write('first, ')
    await clock.advance(900)
    expect(sent).toEqual([undefined])
    write('last')
    void writer.close()
    expect((await clock.run(call)).status).toBe(200)
    expect([sent, clock.now(), clock.pending()]).toEqual([[undefined, 'first, last'], 900, 0])
  })

  test('and no longer: a stream that goes on is sent once, and its answer is surfaced', async () => {
    const { clock, sent, request, fetch, write } = early()
    const call = fetch(request)
    write('first, ')
    const response = await clock.run(call)
    expect([response.status, await response.text(), sent.length]).toEqual([429, 'no', 1])
    expect(outcomeOf(response)).toMatchObject({ attempts: 1, reason: 'body_not_replayable' })
    expect([clock.now(), clock.pending()]).toEqual([1000, 0])
  })

  test('an answer that nobody sends again holds nothing up, and an abort ends the wait (R11)', async () => {
    const fine = early(200)
    expect((await fine.fetch(fine.request)).status).toBe(200)
    const { clock, sent, request, fetch } = early()
    const controller = new AbortController()
    const call = fetch(request, { signal: controller.signal })
    await clock.advance(10)
    controller.abort('enough')
    await expect(call).rejects.toBe('enough')
    await clock.advance(0) // the answer, which came late, is let go of
    expect([sent.length, clock.now(), clock.pending()]).toEqual([1, 10, 0])
  })
})

describe('R13: a stream is sent once', () => {
  const bodies: [string, () => unknown][] = [
    ['a ReadableStream', () => new Blob(['stream']).stream()],
    [
      'an async iterable',
      () =>
        (async function* () {
          yield new TextEncoder().encode('stream')
        })(),
    ],
  ]
  test.each(bodies)('%s', async (_, make) => {
    const server = await throttleOnce()
    const init = { method: 'POST', body: make(), duplex: 'half' } as RequestInit // Node's, beyond lib.dom
    const response = await createFetch({ policy })(server.url, init)
    expect([response.status, server.received.map(({ body }) => body)]).toEqual([429, ['stream']])
    expect(outcomeOf(response)?.reason).toBe('body_not_replayable')
  })
})

test('the Request of the caller is used as fetch would use it, and a used one is refused', async () => {
  const server = await throttleOnce()
  const request = new Request(server.url, { method: 'PUT', body: 'once' })
  await createFetch({ policy })(request)
  expect(request.bodyUsed).toBe(true)
  await expect(createFetch({ policy })(request)).rejects.toThrow(TypeError)
  expect(server.received.length).toBe(2)
})

test('init goes over the Request, as fetch has it', async () => {
  const server = await throttleOnce()
  const request = new Request(server.url, { method: 'POST', body: 'from the request', headers: { a: '1' } })
  await createFetch({ policy })(request, { body: 'from init', headers: { b: '2' }, method: 'PUT' })
  expect(server.received.map(({ method, body }) => [method, body])).toEqual([
    ['PUT', 'from init'],
    ['PUT', 'from init'],
  ])
  expect(server.received[1]?.headers).toMatchObject({ b: '2' })
  expect(server.received[1]?.headers).not.toHaveProperty('a')
})

describe('Idempotency-Key', () => {
  test('is made once a call, the same on every attempt, and lets a POST be repeated', async () => {
    const server = await serve((nth, response) => response.writeHead(nth % 2 ? 503 : 200).end())
    const fetch = createFetch({ policy, idempotencyKey: true })
    await fetch(server.url, { method: 'POST', body: 'a', headers: { 'x-own': '1' } })
    await fetch(new Request(server.url, { method: 'POST', body: 'b', headers: { 'x-own': '2' } }))
    const keys = server.received.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect([keys[1], keys[3], new Set(keys).size]).toEqual([keys[0], keys[2], 2])
    expect(server.received.map(({ headers, body }) => [headers['x-own'], body])).toEqual([
      ['1', 'a'],
      ['1', 'a'],
      ['2', 'b'],
      ['2', 'b'],
    ])
  })

  test("leaves the caller's key and methods that need none alone; the caller can make the key", async () => {
    const server = await serve((_, response) => response.end())
    const fetch = createFetch({ policy, idempotencyKey: () => 'made' })
    await fetch(server.url, { method: 'POST', headers: { 'Idempotency-Key': 'own' } })
    await fetch(server.url)
    await fetch(server.url, { method: 'PATCH' })
    expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['own', undefined, 'made'])
  })
})
