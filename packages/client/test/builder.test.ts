import { ClientBuilder, interactive, retryPolicy, unwrap } from '@sluice/client'
import { AdaptiveSemaphore } from '@sluice/core'
import { VirtualClock } from '@sluice/core/testing'
import { describe, expect, test } from 'vitest'
import { serve } from '../../fetch/test/server.js'

const json = { 'content-type': 'application/json' }

describe('a built client sends', () => {
  test('the token, the tenant, the data set and headers, to the path below its URL', async () => {
    const { url, received } = await serve((_, response) => response.writeHead(200, json).end('{"pipes":[]}'))
    const client = new ClientBuilder(`${url}/gw/`)
      .bearer('tok-1')
      .tenant('acme')
      .dataset('web')
      .header('X-Request-Source', 'tests')
      .build()
    expect(await unwrap(client.listPipes())).toEqual({ pipes: [] })
    expect(received[0]).toMatchObject({
      method: 'GET',
      path: '/gw/v1/pipes',
      headers: {
        authorization: 'Bearer tok-1',
        'x-tenant-id': 'acme',
        'x-dataset-id': 'web',
        'x-request-source': 'tests',
      },
    })
  })

  test("what a call says itself in place of the builder's", async () => {
    const { url, received } = await serve((_, response) => response.writeHead(200, json).end('{}'))
    const client = new ClientBuilder(url).bearer('tok-1').tenant('acme').build()
    await unwrap(client.listPipes({ headers: { 'X-Tenant-ID': 'other', Authorization: 'Bearer own' } }))
    // As Headers they would be lost in the generated code.
    await unwrap(
      client.putRoute({
        path: { name: 'a' },
        body: { node: 'b' },
        headers: new Headers({ 'x-tenant-id': 'third' }) as never, // the type has records alone
      }),
    )
    expect(received.map(({ headers }) => [headers['x-tenant-id'], headers.authorization])).toEqual([
      ['other', 'Bearer own'],
      ['third', 'Bearer tok-1'],
    ])
  })

  test('no token where an operation asks for none', async () => {
    const { url, received } = await serve((_, response) => response.writeHead(200, json).end('{"status":"ok"}'))
    await unwrap(new ClientBuilder(url).bearer('tok-1').build().getHealth())
    expect(received[0]?.headers.authorization).toBeUndefined()
  })

  test('the token of the moment on each attempt', async () => {
    const { url, received } = await serve((nth, response) =>
      nth === 1 ? response.writeHead(429, { 'retry-after-ms': '1' }).end() : response.writeHead(200, json).end('{}'),
    )
    let nth = 0
    const client = new ClientBuilder(url).bearer(async () => `tok-${++nth}`).build()
    await unwrap(client.listPipes())
    expect(received.map(({ headers }) => headers.authorization)).toEqual(['Bearer tok-1', 'Bearer tok-2'])
  })

  test('as often and as long as .retry() and .timeout() say, in either order', async () => {
    const attempts = async (builder: ClientBuilder) => {
      const clock = new VirtualClock()
      let sends = 0
      const fetch = (_: unknown, init?: RequestInit) =>
        new Promise<Response>((_resolve, reject) => {
          sends++
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        })
      const client = builder
        .fetch(fetch)
        .with({ clock, random: () => 0 })
        .build()
      const error = await clock.run(unwrap(client.listPipes()).catch((error: unknown) => error))
      return [sends, clock.now(), (error as Error).message]
    }
    const policy = retryPolicy({ maxAttempts: 2 }, interactive)
    const wanted = [2, 2000, 'request timed out (2 attempts)']
    expect(await attempts(new ClientBuilder('http://a.test').timeout(1000).retry(policy))).toEqual(wanted)
    expect(await attempts(new ClientBuilder('http://a.test').retry(policy).timeout(1000))).toEqual(wanted)
  })
})

test('each step leaves the builder before it as it was, and clients share nothing', async () => {
  const sent: Headers[] = []
  const fetch = async (_: unknown, init?: RequestInit) => {
    sent.push(new Headers(init?.headers))
    return Response.json({})
  }
  const base = new ClientBuilder('http://a.test').fetch(fetch)
  const one = base.bearer('one').tenant('first').build()
  const two = base.bearer('two').build()
  const none = base.build()
  for (const client of [one, two, none]) await unwrap(client.listPipes())
  expect(sent.map((headers) => [headers.get('authorization'), headers.get('x-tenant-id')])).toEqual([
    ['Bearer one', 'first'],
    ['Bearer two', null],
    [null, null],
  ])
})

// What is `as never` here is what JavaScript lets through.
describe('a step refuses, and shows no secret:', () => {
  const builder = new ClientBuilder('http://a.test')
  test.each<[string, () => unknown, string]>([
    [
      'no URL',
      () => new ClientBuilder('gateway'),
      'ClientBuilder: the URL must be absolute, such as https://gateway.example.com; got "gateway"',
    ],
    [
      'nothing',
      () => new ClientBuilder(undefined as never),
      'ClientBuilder: the URL must be absolute, such as https://gateway.example.com; got undefined',
    ],
    [
      'a broken URL with a password',
      () => new ClientBuilder('http://u:s3cret@ho st'),
      'ClientBuilder: the URL must be absolute, such as https://gateway.example.com; got a text that is none',
    ],
    [
      'a URL with a password',
      () => new ClientBuilder('http://u:s3cret@a.test'),
      'ClientBuilder: the URL holds a user name or a password, which logs would show; give a token to .bearer()',
    ],
    [
      'another protocol',
      () => new ClientBuilder('ftp://a.test'),
      'ClientBuilder: the URL must begin with http:// or https://; got "ftp:"',
    ],
    [
      'a query',
      () => new ClientBuilder('http://a.test/?key=s3cret'),
      'ClientBuilder: the URL must end with its path: take off what begins with ? or #',
    ],
    [
      'a token with a line break',
      () => builder.bearer('s3cret\r\nX: y'),
      'ClientBuilder.bearer: a token is a text of visible ASCII characters without spaces, "Bearer" not included; it is not shown here',
    ],
    ['a token with its scheme', () => builder.bearer('Bearer s3cret'), 'ClientBuilder.bearer: a token is'],
    ['an empty token', () => builder.bearer(''), 'ClientBuilder.bearer: a token is'],
    [
      'a header that is none',
      () => builder.header('X Y', 's3cret'),
      'ClientBuilder.header: a header\'s name is letters, digits and hyphens; got "X Y"',
    ],
    [
      'a value with a line break',
      () => builder.header('X-Key', 's3cret\nX: y'),
      'ClientBuilder.header: the value of X-Key must be a text',
    ],
    [
      'an empty tenant',
      () => builder.tenant(''),
      'ClientBuilder.tenant: the name must be 1 to 64 letters, digits, ".", "_" or "-"; it is not shown here',
    ],
    [
      'a tenant with a space',
      () => builder.tenant('a s3cret'),
      'ClientBuilder.tenant: the name must be 1 to 64 letters',
    ],
    ['a long data set', () => builder.dataset('s3cret'.repeat(11)), 'ClientBuilder.dataset: the name must be 1 to 64'],
    [
      'no timeout',
      () => builder.timeout(0),
      'ClientBuilder.timeout: ms must be a whole number of milliseconds, at least 1; got 0',
    ],
    ["a policy of one's own", () => builder.retry({ maxAttempts: 2 } as never), 'retryPolicy()'],
    ['a source that is none', () => builder.trace({} as never), 'ClientBuilder.trace: must be a function'],
    ['an unknown option', () => builder.with({ retries: 3 } as never), 'there is no option retries'],
    [
      'a policy among them',
      () => builder.with({ policy: interactive } as never),
      'ClientBuilder.with: give the policy to .retry()',
    ],
  ])('%s', (_, act, message) => {
    expect(act).toThrow(TypeError)
    expect(act).toThrow(message)
    expect(act).not.toThrow('s3cret')
  })
})

test('an operation without what its path needs is refused, and sends nothing', async () => {
  const { url, received } = await serve((_, response) => response.writeHead(200, json).end('{}'))
  const client = new ClientBuilder(url).build()
  const needed = '/v1/pipes/{name}: path.name must be given, as { path: { name: "…" } }; got '
  await expect(client.runPipe(undefined as never)).rejects.toThrow(new TypeError(`${needed}undefined`))
  await expect(client.runPipe({ path: { name: '' } })).rejects.toThrow(new TypeError(`${needed}""`))
  expect(received).toEqual([])
  await unwrap(client.runPipe({ path: { name: '{name}' } })) // a value is one, whatever it is
  expect(received.map(({ path }) => path)).toEqual(['/v1/pipes/%7Bname%7D'])
})

test('.limit: one limit for all that is built, told what the node says it took; probes of health go past it', async () => {
  const { url } = await serve((_, response) =>
    response
      .writeHead(200, { ...json, 'server-timing': 'elapsed;dur=3, node;dur=7000' })
      .end('{"pipes":[],"status":"ok"}'),
  )
  const clock = new VirtualClock()
  const limit = new AdaptiveSemaphore({ clock, maxConcurrent: 1, windowMs: 1000, minSamples: 2 })
  const builder = new ClientBuilder(url).with({ clock }).limit(limit)
  await Promise.all([unwrap(builder.build().listPipes()), unwrap(builder.tenant('acme').build().listPipes())])
  expect(limit.snapshot()).toMatchObject({ inFlight: 0, queued: 0 })
  await clock.run(new Promise<void>((resolve) => void clock.timer(1000, resolve)))
  expect(limit.snapshot().p90Ms).toBe(7000)
  limit.report({ kind: 'throttle', retryAfterMs: 60_000 })
  expect(await unwrap(builder.build().getHealth())).toMatchObject({ status: 'ok' })
  await expect(unwrap(builder.build().listPipes())).rejects.toMatchObject({ reason: 'held' })
  expect(() => builder.limit(undefined as never)).toThrow(
    'ClientBuilder.limit: must be an AdaptiveSemaphore or Limiters; got undefined',
  )
  expect(() => builder.limit(35 as never)).toThrow(
    'createFetch: limit must be an AdaptiveSemaphore or Limiters; got 35',
  )
})
