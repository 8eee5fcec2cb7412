import { inspect } from 'node:util'
import { type ApiError, ClientBuilder, interactive, retryPolicy, unwrap } from '@sluice/client'
import { causes } from '@sluice/core/adapter'
import { expect, test } from 'vitest'
import { serve } from '../../fetch/test/server.js'
import { closedUrl } from './closed-url.js'

const TOKEN = 'tok-9f3ad1'
const KEY = 'key-77c0be'

/** Everything that printing shows of a value, hidden fields and causes included. */
const printed = (value: unknown): string => {
  const all = { depth: 20, showHidden: true, getters: true, maxArrayLength: null, maxStringLength: null }
  const links = causes(value).flatMap((link) => Object.getOwnPropertyNames(link).map((name) => Reflect.get(link, name)))
  const texts = [value, ...links].flatMap((one) => {
    const whole = [inspect(one), inspect(one, all), String((one as Error)?.stack)]
    try {
      return [...whole, JSON.stringify(one), `${one}`]
    } catch {
      return whole // what cannot be written so shows nothing so
    }
  })
  return texts.join('\n')
}

const builderOf = (url: string) => new ClientBuilder(url).bearer(TOKEN).header('X-Api-Key', KEY).tenant('acme')

test('this test would find a secret', () => {
  expect(printed({ deep: { er: TOKEN } })).toContain(TOKEN)
  expect(printed(new Error('a', { cause: new Error(TOKEN) }))).toContain(TOKEN)
  expect(printed({ request: new Request('http://a.test', { headers: { authorization: TOKEN } }) })).toContain(TOKEN)
})

test('builders and clients print what a person may know', () => {
  const builder = builderOf('https://gateway.example.com').timeout(500)
  const shown = {
    url: 'https://gateway.example.com',
    bearer: 'redacted',
    headers: ['x-api-key', 'x-tenant-id'],
    timeoutMs: 500,
  }
  expect(JSON.parse(JSON.stringify({ builder, client: builder.build() }))).toEqual({ builder: shown, client: shown })
  expect(inspect(builder)).toMatch(/^ClientBuilder \{[\s\S]*bearer: 'redacted'/)
  expect(inspect({ client: builder.build() })).toMatch(/client: GatewayClient \{[\s\S]*bearer: 'redacted'/)
  for (const value of [builder, builder.build(), Object.values(builder.build())])
    for (const secret of [TOKEN, KEY]) expect(printed(value)).not.toContain(secret)
})

test('results, errors, events and log lines of all kinds of ends hold no secret, and all of them were sent', async () => {
  const seen: unknown[] = []
  const note = (value: unknown) => void seen.push(value)
  const { url, received } = await serve((nth, response, { path }) => {
    if (path === '/v1/pipes')
      response.writeHead(nth === 1 ? 503 : 200, { 'content-type': 'application/json' }).end('{}')
    else if (path === '/v1/status') response.writeHead(429, { 'retry-after': '60' }).end('{"title":"Later"}')
    else if (path === '/v1/datasources') response.destroy()
    else if (path === '/v1/notices') response.writeHead(200, { 'content-type': 'application/json' }).end('{"broken')
    else response.writeHead(401, { 'content-type': 'application/problem+json' }).end('{"title":"Unknown token"}')
  })
  const policy = retryPolicy({ maxAttempts: 2, baseMs: 1 }, interactive)
  const options = { onRetry: note, onGiveUp: note, logger: { debug: note, warn: note } }
  const client = builderOf(url).retry(policy).with(options).build()
  const calls = {
    ok: client.listPipes(),
    throttled: client.getStatus(),
    dropped: client.listDataSources(),
    broken: client.listNotices(),
    refused: client.runPipe({ path: { name: 'x' } }),
    unreachable: builderOf(await closedUrl())
      .retry(policy)
      .with(options)
      .build()
      .listPipes(),
    aborted: client.listPipes({ signal: AbortSignal.abort(new Error('enough')) }),
  }
  const ends: string[] = []
  for (const [name, call] of Object.entries(calls)) {
    const result: unknown = await call
    seen.push(result)
    const error: unknown = await unwrap(call as Promise<object>).catch((error: unknown) => error)
    ends.push(`${name}: ${(error as ApiError).name === undefined ? 'data' : (error as Error).message}`)
    seen.push(error)
  }
  expect(ends).toEqual([
    'ok: data',
    'throttled: rate limited; server asked to retry in 60s',
    expect.stringMatching(/^dropped: connection failed \(\w+\) after 2 attempts$/),
    'broken: the body of an answer (HTTP 200) could not be read',
    'refused: HTTP 401: Unknown token',
    'unreachable: connection failed (ECONNREFUSED) after 2 attempts',
    'aborted: enough',
  ])
  expect(received.length).toBeGreaterThanOrEqual(7)
  for (const { headers } of received)
    expect([headers.authorization, headers['x-api-key']]).toEqual([`Bearer ${TOKEN}`, KEY])
  expect(seen.length).toBeGreaterThan(20)
  for (const secret of [TOKEN, KEY]) expect(printed(seen)).not.toContain(secret)
  for (const value of seen) for (const secret of [TOKEN, KEY]) expect(printed(value)).not.toContain(secret)
})

test('a token that cannot be sent is not shown by the call that fails', async () => {
  const client = new ClientBuilder('http://a.test').bearer(() => `${TOKEN}\n`).build()
  const error: unknown = await unwrap(client.listPipes()).catch((error: unknown) => error)
  expect((error as Error).name).toBe('ApiError')
  const wrong = { message: expect.stringMatching(/^ClientBuilder\.bearer: a token is/) }
  expect((error as Error).cause).toMatchObject({ name: 'TokenError', cause: wrong })
  expect(printed(error)).not.toContain(TOKEN)
})

test('a redirect to another origin does not take the token along, one within the origin does', async () => {
  const other = await serve((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  const { url, received } = await serve((_, response, { path }) => {
    const location = { '/v1/pipes': `${other.url}/stolen`, '/v1/status': '/v1/moved' }[path]
    response
      .writeHead(location ? 307 : 200, { 'content-type': 'application/json', ...(location && { location }) })
      .end('{}')
  })
  const client = builderOf(url).build()
  await unwrap(client.listPipes())
  await unwrap(client.getStatus())
  expect(other.received.map(({ path, headers }) => [path, headers.authorization])).toEqual([['/stolen', undefined]])
  expect(received.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    ['/v1/pipes', `Bearer ${TOKEN}`],
    ['/v1/status', `Bearer ${TOKEN}`],
    ['/v1/moved', `Bearer ${TOKEN}`],
  ])
})

test('a call that names another origin gets nothing of the builder', async () => {
  const other = await serve((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  await unwrap(builderOf('http://a.test').build().listPipes({ baseUrl: other.url }))
  const { authorization, 'x-api-key': key, 'x-tenant-id': tenant } = other.received[0]?.headers ?? {}
  expect([other.received.length, authorization, key, tenant]).toEqual([1, undefined, undefined, undefined])
})
