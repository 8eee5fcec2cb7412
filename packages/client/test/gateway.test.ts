// The client against the real gateway with its engine, a real quota and real queries.
import { type ApiError, ClientBuilder, disabled, isThrottled, unwrap } from '@sluice/client'
import { type Gateway, startGateway } from '@sluice/gateway'
import { afterAll, beforeAll, expect, test } from 'vitest'

const TOKEN = 'test-token-of-ann-0001'
let gateway: Gateway
let builder: ClientBuilder

beforeAll(async () => {
  gateway = await startGateway({
    port: 0,
    tokens: [{ name: 'ann', token: TOKEN }],
    plans: { default: { ratePerSecond: 5, burst: 2 } },
    logger: { info() {}, warn() {}, error() {} },
  })
  builder = new ClientBuilder(gateway.url).bearer(TOKEN)
}, 60_000)
afterAll(() => gateway?.close())

const pipe = { path: { name: 'busiest_routes' }, query: { params: { limit: 3 } } }
const thrownBy = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error as ApiError,
  )

test('more calls than the quota has all succeed, after the waits that the gateway stated', async () => {
  const stated: (number | null)[] = []
  const client = builder.with({ onRetry: ({ retryAfterMs }) => void stated.push(retryAfterMs) }).build()
  const results = await Promise.all(Array.from({ length: 4 }, () => unwrap(client.runPipe(pipe))))
  for (const { data, rows } of results) expect([data.length, rows]).toEqual([3, 3])
  expect(stated.length).toBeGreaterThan(0)
  expect(stated.every((ms) => ms !== null && ms > 0)).toBe(true)
})

test('without retries the throttle is an error that tells the wait', async () => {
  const client = builder.retry(disabled).build()
  const ends = await Promise.all(Array.from({ length: 6 }, () => thrownBy(unwrap(client.runPipe(pipe)))))
  const errors = ends.filter((error) => error !== undefined)
  expect(errors.length).toBeGreaterThan(0)
  for (const error of errors) {
    expect([error.status, isThrottled(error), error.attempts, error.problem?.status]).toEqual([429, true, 1, 429])
    expect(error.retryAfterMs).toBeGreaterThan(0)
  }
})

test.each<[string, () => Promise<unknown>, number]>([
  ['an unknown pipe', () => builder.build().runPipe({ path: { name: 'no_such_pipe' } }), 404],
  ['an unknown parameter', () => builder.build().runPipe({ ...pipe, query: { params: { nothing: 1 } } }), 400],
  ['an unknown token', () => builder.bearer('another-token-of-nobody').build().listPipes(), 401],
])('%s is told by its problem document', async (_, call, status) => {
  const error = await thrownBy(unwrap(call() as Promise<object>))
  expect(error).toMatchObject({ name: 'ApiError', status, attempts: expect.any(Number), reason: 'not_retryable' })
  expect(error?.message).toBe(`HTTP ${status}: ${error?.problem?.title}`)
  expect(error?.problem?.detail).toEqual(expect.any(String))
})

test('its health needs no token', async () => {
  expect(await unwrap(new ClientBuilder(gateway.url).build().getHealth())).toMatchObject({ status: expect.any(String) })
})
