import { readFileSync } from 'node:fs'
import { ClientBuilder, unwrap } from '@sluice/client'
import { VirtualClock } from '@sluice/core/testing'
import { describe, expect, test } from 'vitest'
import { serve } from '../../fetch/test/server.js'

const events = { 'content-type': 'text/event-stream' }

describe.each(['streamStatus', 'streamNotices'] as const)('%s', (name) => {
  test('is one attempt a connection: the reader connects again, and we do not', async () => {
    const { url, received } = await serve((nth, response) => {
      if (nth === 1) response.writeHead(429, { 'retry-after-ms': '1' }).end()
      else if (nth === 2) response.destroy()
      else if (nth === 3) response.writeHead(200, events).write('id: 7\ndata: {"n":1}\n\n', () => response.destroy())
      else response.writeHead(503, { 'retry-after-ms': '1' }).end()
    })
    const ends: string[] = []
    const retried: number[] = []
    const client = new ClientBuilder(url).with({ onRetry: ({ attempt }) => void retried.push(attempt) }).build()
    const { stream } = await client[name]({
      ...{ sseDefaultRetryDelay: 1, sseMaxRetryAttempts: 5 },
      onSseError: (error) => void ends.push((error as Error).message),
    })
    const got: unknown[] = []
    for await (const event of stream) got.push(event)
    expect(got).toEqual([{ n: 1 }])
    expect(retried).toEqual([])
    expect(received.length).toBe(5) // as many as the reader was allowed, each connection one request
    expect(ends.length).toBe(5)
    expect(received.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, undefined, undefined, '7', '7'])
  })

  test("waits on the client's clock before it connects again, and an abort ends the wait", async () => {
    const clock = new VirtualClock()
    const controller = new AbortController()
    let sends = 0
    const fetch = async () => {
      sends++
      return new Response(null, { status: 503 })
    }
    const client = new ClientBuilder('http://a.test').fetch(fetch).with({ clock }).build()
    clock.timer(5000, () => controller.abort())
    const read = async () => {
      const { stream } = await client[name]({ signal: controller.signal })
      for await (const _ of stream);
    }
    await clock.run(read())
    expect([sends, clock.now()]).toEqual([2, 5000]) // the second after 3 s, the third would come 6 s later
  })
})

describe('bodies', () => {
  const lines = '{"a":1}\n{"a":2}\n'
  const accepted = () =>
    serve((nth, response) => {
      if (nth === 1) response.writeHead(429, { 'retry-after-ms': '1' }).end()
      else response.writeHead(202, { 'content-type': 'application/json' }).end('{"accepted":2}')
    })
  const path = { name: 'clicks' }

  test('a list of events is sent as JSON', async () => {
    const { url, received } = await accepted()
    await unwrap(new ClientBuilder(url).build().sendEvents({ path, body: [{ a: 1 }, { a: 2 }] }))
    expect(received.map(({ headers, body }) => [headers['content-type'], body])).toEqual(
      Array(2).fill(['application/json', '[{"a":1},{"a":2}]']),
    )
  })

  test.each([
    ['a text', lines],
    ['bytes', new TextEncoder().encode(lines)],
    ['a Blob', new Blob([lines])],
  ])('%s is sent as lines, again after a throttle', async (_, body) => {
    const { url, received } = await accepted()
    expect(await unwrap(new ClientBuilder(url).build().sendEvents({ path, body }))).toEqual({ accepted: 2 })
    expect(received.map(({ headers, body }) => [headers['content-type'], body])).toEqual(
      Array(2).fill(['application/x-ndjson', lines]),
    )
  })

  test('a stream is sent once (R13)', async () => {
    const { url, received } = await accepted()
    const call = new ClientBuilder(url).build().sendEvents({ path, body: new Blob([lines]).stream() })
    await expect(unwrap(call)).rejects.toMatchObject({ status: 429, reason: 'body_not_replayable' })
    expect(received.map(({ headers, body }) => [headers['content-type'], body])).toEqual([
      ['application/x-ndjson', lines],
    ])
  })

  test('an export is text', async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(lines),
    )
    expect(await unwrap(new ClientBuilder(url).build().exportBacklog({ path }))).toBe(lines)
  })

  test("a pipe's parameters go by their own names", async () => {
    const { url, received } = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    )
    await unwrap(
      new ClientBuilder(url)
        .build()
        .runPipe({ path: { name: 'delays' }, query: { params: { origin: 'ATL', limit: 5 } } }),
    )
    expect(received[0]?.path).toBe('/v1/pipes/delays?origin=ATL&limit=5')
  })
})

test('what is shipped imports nothing but our own packages: it runs in browsers too', () => {
  const shipped = readFileSync(new URL('../dist/index.js', import.meta.url), 'utf8')
  const imported = [...shipped.matchAll(/(?:from|import)\s*\(?['"]([^'"]+)['"]/g)].map(([, name]) => name)
  expect(imported).toContain('@sluice/fetch')
  expect(imported.filter((name) => !/^(\.|@sluice\/(core|fetch)(\/|$))/.test(name ?? ''))).toEqual([])
})
