import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { github, retryPolicy, type SluiceFetch } from '@sluice/fetch'
import { generate } from '@sluice/openapi/generate'
import createClient from 'openapi-fetch'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { compile } from './compile.js'
import { type Answer, type Arrival, type RunningServer, serve } from './throttling-server.js'
import { workshop } from './workshop.js'

vi.setConfig({ testTimeout: 120_000 })

const folder = workshop()
const output = join(folder, 'sdk')

type Call = (options: object) => Promise<{ response?: Response; stream?: AsyncIterable<unknown> }>
interface Sdk {
  [operation: string]: Call
}
interface Face {
  client: { setConfig(config: object): void }
  createClient(config: object): object
  createOperationFetch(options?: object): SluiceFetch
  retryOperations<Client>(client: Client, options?: object): Client
}

let sdk: Sdk & Face
let answer: (arrival: Arrival, nth: number) => Answer
let server: RunningServer
let calls = 0

beforeAll(async () => {
  await generate({ document: new URL('retries.yaml', import.meta.url).pathname, output })
  const script = join(folder, 'js')
  expect(compile(output, script)).toEqual([])
  sdk = await import(join(script, 'index.js'))
  server = await serve((arrival, nth) => answer(arrival, nth))
}, 180_000)
afterAll(() => server.close())

const busy: typeof answer = () => ({ status: 503, headers: { 'retry-after': '0' } })
const throttled: typeof answer = () => ({ status: 429, headers: { 'retry-after': '0' } })

/** How often a call was sent. */
async function sends(call: (headers: Record<string, string>) => Promise<unknown>): Promise<number> {
  const id = `call-${++calls}`
  await call({ 'x-call': id })
  return server.arrivals.filter(({ headers }) => headers['x-call'] === id).length
}

const byFunction = (name: string, options: object = {}): Promise<number> =>
  sends(async (headers) => sdk[name]?.({ baseUrl: `${server.url}/v1`, path: { id: 'x' }, headers, ...options }))

describe('x-sluice-retry in the SDK, with nothing set up', () => {
  test.each([
    ['the root is for all', 'plain', busy, 3],
    ['a POST is not repeated after a 503', 'plainPost', busy, 1],
    ['a POST is repeated after a 429', 'plainPost', throttled, 3],
    ['disabled', 'disabled', throttled, 1],
    ['idempotent: a POST is repeated after a 503', 'createOrder', busy, 3],
    ['of a path, over the root', 'getOrder', busy, 2],
    ['of an operation, over its path', 'deleteOrder', busy, 5],
    ['an operation that looks like another has its own', 'latestOrder', busy, 3],
    ['a preset with the fields of the root', 'hub', throttled, 3],
  ])('%s', async (_, name, answers, expected) => {
    answer = answers
    expect(await byFunction(name)).toBe(expected)
  })

  test('whatever the base URL', async () => {
    answer = busy
    expect(await byFunction('getOrder', { baseUrl: `${server.url}/behind/a/proxy` })).toBe(2)
  })

  test('a preset is more than its numbers: GitHub throttles with 403', async () => {
    answer = () => ({ status: 403, headers: { 'retry-after': '0' }, body: '{"message":"secondary rate limit"}' })
    expect(await byFunction('hub')).toBe(3)
    expect(await byFunction('plain')).toBe(1)
  })

  test('a stream of events is sent once; its reader connects again', async () => {
    answer = throttled
    const errors: unknown[] = []
    const count = await sends(async (headers) => {
      const options = { sseMaxRetryAttempts: 1, onSseError: (error: unknown) => errors.push(error) }
      const { stream = [] } = (await sdk.events?.({ baseUrl: `${server.url}/v1`, headers, ...options })) ?? {}
      for await (const _ of stream as AsyncIterable<unknown>);
    })
    expect([count, errors.length]).toEqual([1, 1])
  })

  test('a client of one’s own, with a policy of one’s own', async () => {
    answer = busy
    const client = sdk.retryOperations(sdk.createClient({ baseUrl: server.url }), {
      policy: retryPolicy({ maxAttempts: 2, baseMs: 0 }),
    })
    const through = (name: string): Promise<number> => byFunction(name, { client, baseUrl: server.url })
    expect(await through('plain')).toBe(2)
    expect(await through('deleteOrder')).toBe(5)
    expect(await through('disabled')).toBe(1)
  })

  test('Authorization does not follow a redirect to another origin', async () => {
    const elsewhere = await serve(() => ({ status: 200 }))
    answer = (_, nth) =>
      nth === 1 ? throttled(_, nth) : { status: 307, headers: { location: `${elsewhere.url}/plain` } }
    const authorization = 'Bearer s3cret'
    const count = await sends(async (headers) =>
      sdk.plain?.({ baseUrl: server.url, headers: { ...headers, authorization } }),
    )
    await elsewhere.close()
    expect(count).toBe(2)
    expect(server.arrivals.at(-1)?.headers.authorization).toBe(authorization)
    expect(elsewhere.arrivals.map(({ headers }) => [headers['x-call'] !== undefined, headers.authorization])).toEqual([
      [true, undefined],
    ])
  })
})

describe('x-sluice-retry with openapi-fetch', () => {
  // The type is what schema.gen.ts says; here it is written out, since that file is made as the test runs.
  type Answers = { responses: { 200: { content: { 'application/json': object } } } }
  type Id = { parameters: { path: { id: string } } }
  interface paths {
    '/plain': { get: Answers; post: Answers }
    '/disabled': { get: Answers }
    '/orders': { post: Answers }
    '/orders/{id}': { get: Answers & Id }
    '/orders/latest': { get: Answers }
  }
  const api = (base = '/v1'): ReturnType<typeof createClient<paths>> => {
    const baseUrl = server.url + base
    return createClient<paths>({ baseUrl, fetch: sdk.createOperationFetch({ baseUrl, random: () => 0 }) })
  }

  test('by method and path, under the base URL it was given', async () => {
    answer = busy
    for (const base of ['/v1', '/other/base/']) {
      expect(await sends((headers) => api(base).GET('/plain', { headers }))).toBe(3)
      expect(await sends((headers) => api(base).POST('/plain', { headers }))).toBe(1)
      expect(await sends((headers) => api(base).POST('/orders', { headers }))).toBe(3)
      expect(await sends((headers) => api(base).GET('/disabled', { headers }))).toBe(1)
      expect(await sends((headers) => api(base).GET('/orders/latest', { headers }))).toBe(3)
      const params = { path: { id: 'a/b c' } }
      expect(await sends((headers) => api(base).GET('/orders/{id}', { headers, params }))).toBe(2)
    }
  })

  test('without a base URL the paths of the document’s servers count', async () => {
    answer = busy
    const fetch = sdk.createOperationFetch({ random: () => 0 })
    expect(await sends((headers) => fetch(`${server.url}/v1/orders/7?q=1`, { headers }))).toBe(2)
    expect(await sends((headers) => fetch(new URL(`${server.url}/orders/7`), { headers }))).toBe(3)
    expect(await sends((headers) => fetch(`${server.url}/v1/orders`, { method: 'post', headers }))).toBe(3)
  })

  test('another origin than that of the base URL is none of its business', async () => {
    answer = busy
    const fetch = sdk.createOperationFetch({ baseUrl: 'https://api.example.com/v1' })
    expect(await sends((headers) => fetch(`${server.url}/v1/orders`, { method: 'POST', headers }))).toBe(1)
  })

  test('who asks for a stream of events gets one attempt', async () => {
    answer = throttled
    const accept = 'text/event-stream'
    expect(await sends((headers) => api().GET('/plain', { headers: { ...headers, accept } }))).toBe(1)
  })

  test('.with() is over what the document says, and shares the waiting calls', async () => {
    answer = busy
    const fetch = sdk.createOperationFetch({ random: () => 0 })
    const changed = fetch.with({ maxAttempts: 4 })
    expect(changed.waiting).toBe(fetch.waiting)
    expect(await sends((headers) => changed(`${server.url}/v1/orders/7`, { headers }))).toBe(4)
    expect(await sends((headers) => changed(`${server.url}/v1/disabled`, { headers }))).toBe(1)
  })

  test('bad options are refused when given', () => {
    expect(() => sdk.createOperationFetch({ polcy: github })).toThrow('createFetch: there is no option polcy')
  })
})

test('the same document gives the same bytes', async () => {
  const document = new URL('retries.yaml', import.meta.url).pathname
  expect((await generate({ document, output, check: true })).changes).toEqual([])
})

test('the table holds what differs, and what could be mistaken for that', () => {
  const table = readFileSync(join(output, 'retry.gen.ts'), 'utf8')
  expect([...table.matchAll(/method: "(.*?)", path: "(.*?)"(.*) }/g)].map(([, ...row]) => row.join(' '))).toEqual([
    'GET /disabled , once: true',
    'POST /orders , idempotent: true',
    'GET /orders/{id} , fields: { maxAttempts: 2 }',
    'DELETE /orders/{id} , fields: { maxAttempts: 5 }',
    'GET /orders/latest ',
    'GET /hub , preset: github, fields: { baseMs: 0, maxAttempts: 3 }',
    'GET /events , once: true',
  ])
  expect(table).toContain('policy: retryPolicy({ baseMs: 0, maxAttempts: 3 }, interactive)')
  expect(readFileSync(join(output, 'README.md'), 'utf8')).toContain('| DELETE /orders/{id} | maxAttempts 5 |')
})
