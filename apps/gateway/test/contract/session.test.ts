import { flightPipes, type Pipe, textParameter } from '@sluice/gateway'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningGateway, run, SECRET, until } from '../running-gateway.js'
import { rawRequest } from './raw-request.js'
import { type Asked, operationOf, undescribed } from './undescribed.js'

const RUNS = ['/v1/pipes', '/v1/pipes/busiest_routes', '/v1/status', '/v1/status/stream']
const POOR = 'test-token-of-bob-0002'
const needed = { word: textParameter({ description: 'A word.', maxLength: 5 }) }
const pipe = (name: string, sql: string, parameters: Pipe['parameters'] = {}): Pipe => ({
  ...{ name, sql, parameters },
  description: 'For tests.',
})

const pipes = [
  ...flightPipes,
  pipe('echo', 'SELECT {word:String} AS word', needed),
  pipe('nothing', 'SELECT 1 AS one WHERE 0'),
  pipe(
    'values',
    `SELECT NULL AS none, [1, 2] AS list, toUInt64(18446744073709551615) AS big, nan AS odd, now() AS time`,
  ),
  pipe('slow', 'SELECT sum(sleepEachRow(0.1)) FROM numbers(600) SETTINGS max_block_size = 1'),
  pipe('nap', 'SELECT sleep(0.2)'),
  pipe('hungry', 'SELECT groupArray(number) FROM numbers(100000000) SETTINGS max_memory_usage = 10000000'),
  pipe('broken', 'SELECT secret_column FROM secret_table'),
]

describe('what the gateway answers is what spec/openapi.yaml says', () => {
  let gateway: RunningGateway
  /** `operation status`, for each answer that was looked at. */
  const seen = new Set<string>()
  beforeAll(async () => {
    gateway = await run({
      pipes,
      plans: { default: { ratePerSecond: 1e4, burst: 1e4 }, poor: { ratePerSecond: 0.1, burst: 1 } },
      tokens: [
        { name: 'ann', token: SECRET },
        { name: 'bob', token: POOR, plan: 'poor' },
      ],
      ...{ readTimeoutMs: 700, sessions: 2, maxWaiting: 2 },
    })
  })
  afterAll(() => gateway.close())

  async function expectDescribed(asked: Asked, response: Response, status: number): Promise<void> {
    expect(response.status).toBe(status)
    expect(await undescribed(asked, response)).toEqual([])
    seen.add(`${operationOf(asked)?.operationId ?? 'none'} ${status}`)
  }

  it.each([
    [200, 'GET', '/healthz'],
    [200, 'HEAD', '/healthz'],
    [200, 'GET', '/v1/pipes'],
    [200, 'HEAD', '/v1/pipes'],
    [200, 'GET', '/v1/pipes/flights_per_day?from=2001-01-01&to=2001-01-07'],
    [200, 'GET', '/v1/pipes/delays_by_airport?origin=ATL&limit=5'],
    [200, 'GET', '/v1/pipes/busiest_routes'],
    [200, 'HEAD', '/v1/pipes/busiest_routes'],
    [200, 'GET', '/v1/pipes/delay_quantiles?origin=ATL'],
    [200, 'GET', '/v1/pipes/echo?word=%22%3B--'],
    [200, 'GET', '/v1/pipes/nothing'],
    [200, 'GET', '/v1/pipes/values'],
    [200, 'GET', '/v1/status'],
    [200, 'HEAD', '/v1/status'],
    [200, 'GET', '/v1/status/stream'],
    [200, 'HEAD', '/v1/status/stream'],
    [400, 'GET', '/v1/pipes/echo'],
    [400, 'GET', '/v1/pipes/echo?word='],
    [400, 'GET', '/v1/pipes/echo?word=a&word=b'],
    [400, 'GET', '/v1/pipes/echo?word=a&wrod=b'],
    [400, 'GET', '/v1/pipes/flights_per_day?from=2001-02-30'],
    [400, 'GET', '/v1/pipes/flights_per_day?from=2001-03-01&to=2001-02-01'],
    [400, 'GET', '/v1/pipes/busiest_routes?limit=0'],
    [404, 'GET', '/v1/pipes/nope'],
    [404, 'GET', '/v1/pipes/a%2Fb'],
    [404, 'HEAD', '/v1/pipes/nope'],
    [405, 'PUT', '/v1/pipes/busiest_routes'], // an operation that this gateway does not have yet
    [405, 'POST', '/v1/pipes'],
    [405, 'DELETE', '/v1/pipes/busiest_routes'],
    [405, 'POST', '/v1/status'],
    [405, 'DELETE', '/v1/status/stream'],
    [405, 'POST', '/healthz'],
    [429, 'GET', '/v1/pipes/hungry'],
    [500, 'GET', '/v1/pipes/broken'],
    [504, 'GET', '/v1/pipes/slow'],
  ])('%i to %s %s', async (status, method, path) => {
    const response = await gateway.get(path, { method })
    expect(response.headers.has('ratelimit')).toBe(path.startsWith('/v1/')) // whatever the answer
    await expectDescribed({ method, path }, response, status)
  })

  it.each([
    ['none', undefined],
    ['an unknown one', 'Bearer wrong-token-0000001'],
  ])('401 for a token that is %s', async (_, authorization) => {
    for (const path of [...RUNS, '/v1/pipes/nope']) {
      const headers = authorization === undefined ? {} : { authorization }
      await expectDescribed({ method: 'GET', path }, await fetch(`${gateway.url}${path}`, { headers }), 401)
    }
  })

  it('429 for a quota that is spent', async () => {
    const asBob = (path: string) => gateway.get(path, { headers: { authorization: `Bearer ${POOR}` } })
    await expectDescribed({ method: 'GET', path: '/v1/pipes' }, await asBob('/v1/pipes'), 200)
    for (const path of RUNS) {
      const refused = await asBob(path)
      expect(refused.headers.get('retry-after')).toBe('10')
      await expectDescribed({ method: 'GET', path }, refused, 429)
    }
  })

  it('429 for an engine for which too many wait', async () => {
    const asked = { method: 'GET', path: '/v1/pipes/nap' }
    const answers = await Promise.all(Array.from({ length: 6 }, () => gateway.get(asked.path)))
    // How many of each depends on the limit: the engine ran out of memory above.
    expect(new Set(answers.map((it) => it.status))).toEqual(new Set([200, 429]))
    for (const answer of answers) {
      if (answer.status === 429) expect((await answer.clone().json()).type).toBe('urn:sluice:problem:queue-full')
      await expectDescribed(asked, answer, answer.status)
    }
  })

  it.each([
    [411, 'Transfer-Encoding: chunked'],
    [413, 'Content-Length: 10000000'],
  ])('%i for a body that is not taken', async (status, header) => {
    const asked = { method: 'PUT', path: '/v1/pipes/busiest_routes' }
    await expectDescribed(asked, await rawRequest(gateway.port, [`PUT ${asked.path} HTTP/1.1`, header]), status)
  })

  it('503 while the engine is started again', async () => {
    const asked = { method: 'GET', path: '/v1/pipes/busiest_routes' }
    process.kill(gateway.enginePid(), 'SIGKILL')
    await until('it is noticed', () => gateway.log.some((it) => it.message === 'engine ended, starting it again'))
    const [pipe, health] = await Promise.all([gateway.get(asked.path), fetch(`${gateway.url}/healthz`)])
    expect(pipe.headers.has('ratelimit')).toBe(true)
    await expectDescribed(asked, pipe, 503)
    await expectDescribed({ method: 'GET', path: '/healthz' }, health, 503)
  })

  it.each([...RUNS, '/healthz'])('503 to GET %s while it closes', async (path) => {
    const closing = await run({ datasets: [] })
    let closed = Promise.resolve()
    const answer = await rawRequest(closing.port, [`GET ${path} HTTP/1.1`, 'Accept: */*'], () => {
      closed = closing.close()
    })
    await expectDescribed({ method: 'GET', path }, answer, 503)
    await closed
  })

  it('has been seen to give every answer that its operations can give now', () => {
    expect([...seen].sort()).toEqual([
      ...['deletePipe 405', 'getHealth 200', 'getHealth 503'],
      ...['getStatus 200', 'getStatus 401', 'getStatus 429', 'getStatus 503'],
      ...['listPipes 200', 'listPipes 401', 'listPipes 429', 'listPipes 503'],
      ...['none 405', 'putPipe 405', 'putPipe 411', 'putPipe 413'],
      ...['runPipe 200', 'runPipe 400', 'runPipe 401', 'runPipe 404', 'runPipe 429', 'runPipe 500', 'runPipe 503'],
      'runPipe 504',
      ...['streamStatus 200', 'streamStatus 401', 'streamStatus 429', 'streamStatus 503'],
    ])
  })
})
