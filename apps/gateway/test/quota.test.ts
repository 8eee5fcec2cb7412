import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningGateway, run, SECRET } from './running-gateway.js'

const other = 'test-token-of-bob-0002'

describe('the quota of a token, over real sockets', () => {
  let gateway: RunningGateway
  let nowMs = 1_000_000
  beforeAll(async () => {
    gateway = await run({
      plans: { default: { ratePerSecond: 2, burst: 3 }, 'one-in-5s': { ratePerSecond: 0.2, burst: 1 } },
      tokens: [
        { name: 'ann', token: SECRET },
        { name: 'bob', token: other, plan: 'one-in-5s' },
      ],
      nowMs: () => nowMs,
    })
  })
  afterAll(() => gateway.close())

  const asBob = () => gateway.get('/v1/pipes', { headers: { authorization: `Bearer ${other}` } })

  it('admits the burst, then says 429 and when to come back', async () => {
    for (const remaining of ['r=2;t=1', 'r=1;t=1', 'r=0;t=1']) {
      const response = await gateway.get('/v1/pipes/busiest_routes')
      expect(response.status).toBe(200)
      expect(response.headers.get('ratelimit')).toBe(`"default";${remaining}`)
      expect(response.headers.get('ratelimit-policy')).toBe('"default";q=3;w=2')
      expect(response.headers.has('retry-after')).toBe(false)
    }
    const response = await gateway.get('/v1/pipes/busiest_routes')
    expect(response.status).toBe(429)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(response.headers.get('retry-after')).toBe('1')
    expect(response.headers.get('ratelimit')).toBe('"default";r=0;t=1')
    expect(response.headers.get('ratelimit-policy')).toBe('"default";q=3;w=2')
    expect(await response.json()).toMatchObject({
      type: 'urn:sluice:problem:quota-exceeded',
      detail: 'Plan "default" allows 2 requests a second and 3 at once. Come back in 1 s.',
    })
  })

  it('admits again at the exact moment and not before; others are not touched', async () => {
    expect((await asBob()).status).toBe(200)
    const refused = await asBob()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
    nowMs += 4999
    expect((await asBob()).headers.get('retry-after')).toBe('1')
    nowMs += 1
    expect((await asBob()).status).toBe(200)
    expect((await gateway.get('/v1/pipes')).status).toBe(200)
  })
})

describe('the quota of a token, on the real clock', () => {
  let gateway: RunningGateway
  /** Stands while requests are sent together: what a busy machine takes for them brings no slot back. */
  let stoodMs: number | undefined
  beforeAll(async () => {
    const nowMs = () => stoodMs ?? performance.now()
    gateway = await run({ plans: { default: { ratePerSecond: 1, burst: 2 } }, nowMs })
  })
  afterAll(() => gateway.close())

  it('admits a client that comes back at the stated time', async () => {
    stoodMs = performance.now()
    const answers = await Promise.all(Array.from({ length: 6 }, () => gateway.get('/v1/pipes/busiest_routes')))
    expect(answers.map((it) => it.status).sort()).toEqual([200, 200, 429, 429, 429, 429])
    const waitMs = Number(answers.find((it) => it.status === 429)?.headers.get('retry-after')) * 1000
    expect(waitMs).toBe(1000)
    const sinceMs = performance.now()
    while (performance.now() - sinceMs < waitMs) await sleep(waitMs - (performance.now() - sinceMs)) // a timer may fire a little early
    stoodMs += performance.now() - sinceMs
    const back = await Promise.all([gateway.get('/v1/pipes'), gateway.get('/v1/pipes')])
    expect(back.map((it) => it.status).sort()).toEqual([200, 429]) // one slot came back, one client gets it
  })
})
