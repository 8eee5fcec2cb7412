import { flightPipes, type Pipe, textParameter } from '@sluice/gateway'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inFlight, isAlive, type RunningGateway, run, until } from './running-gateway.js'

const mark = { mark: textParameter({ description: 'Names the query.', maxLength: 40, default: 'none' }) }
const pipe = (name: string, sql: string, parameters: Pipe['parameters'] = mark): Pipe => ({
  name,
  description: 'For tests.',
  parameters,
  sql,
})

/** Sleeps for 60 s in steps of 0.1 s, so that it can be killed. */
const slow = `SELECT {mark:String} AS mark, sum(sleepEachRow(0.1)) AS slept FROM numbers(600)
  SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0`

const pipes = [
  ...flightPipes,
  pipe('slow', slow),
  pipe('short_sleep', 'SELECT {mark:String} AS mark, sleep(0.4) AS slept'),
  pipe(
    'running',
    `SELECT count() AS queries FROM system.processes WHERE query LIKE '%numbers(600)%' AND query NOT LIKE '%system.processes%'`,
    {},
  ),
  pipe('hungry', 'SELECT groupArray(number) FROM numbers(100000000) SETTINGS max_memory_usage = 10000000', {}),
  pipe('broken', 'SELECT secret_column FROM secret_table', {}),
  pipe('half', 'SELECT number, throwIf(number = 500) FROM numbers(1000) SETTINGS max_block_size = 10', {}),
  pipe('writes', 'INSERT INTO flights (delay) VALUES (1)', {}),
]

describe('the engine under the gateway', () => {
  let gateway: RunningGateway
  beforeAll(async () => {
    // A limit that is never in the way: this is about what is behind it.
    gateway = await run({ pipes, readTimeoutMs: 2000, sessions: 4, maxWaiting: 4, limit: { maxConcurrent: 256 } })
  })
  afterAll(() => gateway.close())

  const running = async () => Number((await (await gateway.get('/v1/pipes/running')).json()).data[0].queries)

  it('runs queries with bound values side by side', async () => {
    const startMs = performance.now()
    const answers = await Promise.all([1, 2, 3, 4].map((it) => gateway.get(`/v1/pipes/short_sleep?mark=m${it}`)))
    const elapsedMs = performance.now() - startMs
    const bodies = await Promise.all(answers.map((it) => it.json()))
    expect(bodies.map((it) => it.data[0].mark)).toEqual(['m1', 'm2', 'm3', 'm4'])
    // One after the other would take what the engine says that each took, together.
    expect(elapsedMs).toBeLessThan(1000 * bodies.reduce((sum, it) => sum + it.statistics.elapsed, 0))
  })

  it('counts the wait for a session in the node’s time, not in the engine’s', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => gateway.get('/v1/pipes/short_sleep')))
    const times = (await Promise.all(answers.map((it) => it.json()))).map((it) => it.statistics)
    times.sort((a, b) => b.node_elapsed - a.node_elapsed)
    expect(times[0].node_elapsed - times[0].elapsed).toBeGreaterThan(0.3)
  })

  it('kills a query whose client has gone', async () => {
    const client = new AbortController()
    const asked = gateway.get('/v1/pipes/slow', { signal: client.signal })
    await until('the query runs', async () => (await running()) === 1)
    client.abort()
    await expect(asked).rejects.toThrow(/abort/i)
    await until('the query is gone', async () => (await running()) === 0)
    expect(gateway.lastLine((it) => it.fields.path === '/v1/pipes/slow')?.fields.status).toBe(499)
  })

  it('kills a query that takes too long, and says 504', async () => {
    const startMs = performance.now()
    const response = await gateway.get('/v1/pipes/slow')
    expect(performance.now() - startMs).toBeLessThan(20_000) // to its end it would be 60 s
    expect(response.status).toBe(504)
    expect(response.headers.has('retry-after')).toBe(false)
    expect(await response.json()).toMatchObject({ type: 'urn:sluice:problem:query-timeout', status: 504 })
    await until('the query is gone', async () => (await running()) === 0)
  })

  it('never starts a waiting query whose client has gone', async () => {
    const clients = Array.from({ length: 8 }, () => new AbortController())
    const asked = clients.map(({ signal }) => gateway.get('/v1/pipes/slow', { signal }).catch(() => 'gone'))
    await until('four run, and four wait', async () => (await inFlight(gateway)) === 8)
    for (const client of clients) client.abort()
    expect(await Promise.all(asked)).toEqual(Array(8).fill('gone'))
    await until(
      'nothing runs',
      async () => (await gateway.get('/v1/pipes/running')).status === 200 && (await running()) === 0,
    )
  })

  it.each([['memory', '/v1/pipes/hungry', 241]])(
    'passes on that the engine is out of %s as 429 without Retry-After',
    async (_, path, code) => {
      const response = await gateway.get(path)
      expect(response.status).toBe(429)
      expect(response.headers.has('retry-after')).toBe(false)
      expect(await response.json()).toMatchObject({ type: 'urn:sluice:problem:engine-busy', clickhouse_code: code })
    },
  )

  it('refuses more queries than can run and wait, as the engine would', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => gateway.get('/v1/pipes/short_sleep')))
    expect(answers.filter((it) => it.status === 200)).toHaveLength(8)
    const refused = answers.filter((it) => it.status === 429)
    expect(refused).toHaveLength(4)
    for (const response of refused) {
      expect(response.headers.has('retry-after')).toBe(false)
      expect(await response.json()).toMatchObject({ clickhouse_code: 202 })
    }
  })

  it('answers 500 without SQL, and logs what the engine said under the same id', async () => {
    const response = await gateway.get('/v1/pipes/broken')
    expect(response.status).toBe(500)
    const body = await response.json()
    expect(body).toMatchObject({ type: 'urn:sluice:problem:query-failed', clickhouse_code: 60 })
    expect(JSON.stringify(body)).not.toMatch(/secret|SELECT|DB::Exception/)
    const line = gateway.lastLine((it) => it.fields.queryId === body.query_id)
    expect(line?.fields.error).toContain('secret_table')
  })

  it('lets no pipe write', async () => {
    expect(await (await gateway.get('/v1/pipes/writes')).json()).toMatchObject({ status: 500, clickhouse_code: 164 })
  })

  it('mixes nothing of a failed query into the next answers', async () => {
    for (let round = 0; round < 3; round += 1) {
      const failed = await Promise.all(Array.from({ length: 4 }, () => gateway.get('/v1/pipes/half')))
      expect(failed.map((it) => it.status)).toEqual([500, 500, 500, 500])
      const next = await Promise.all([1, 2, 3, 4].map((it) => gateway.get(`/v1/pipes/busiest_routes?limit=${it}`)))
      expect(await Promise.all(next.map(async (it) => (await it.json()).data.length))).toEqual([1, 2, 3, 4])
    }
  })

  it('comes back when its process is killed, saying 503 and when to return meanwhile', async () => {
    const pid = gateway.enginePid()
    const asked = gateway.get('/v1/pipes/slow')
    await until('the query runs', async () => (await running()) === 1)
    process.kill(pid, 'SIGKILL')
    const cut = await asked
    expect([cut.status, cut.headers.get('retry-after')]).toEqual([503, '1'])
    await until('it is noticed', () => gateway.log.some((it) => it.message === 'engine ended, starting it again'))
    const meanwhile = await gateway.get('/v1/pipes/busiest_routes')
    expect([meanwhile.status, meanwhile.headers.get('retry-after')]).toEqual([503, '1'])
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(503)
    await until('it is back', async () => (await fetch(`${gateway.url}/healthz`)).status === 200)
    expect(gateway.enginePid()).not.toBe(pid)
    expect(isAlive(pid)).toBe(false)
    const { data } = await (await gateway.get('/v1/pipes/delays_by_airport?origin=ATL')).json()
    expect(data[0].flights).toBe('846')
  })
})
