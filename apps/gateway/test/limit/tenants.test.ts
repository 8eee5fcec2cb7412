import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../running-gateway.js'
import { startTenants, type Tenants, type Who } from '../secure/tenants.js'

describe('a tenant that asks more than a node bears', () => {
  let tenants: Tenants
  beforeAll(async () => {
    tenants = await startTenants({ limit: { maxConcurrent: 1, maxQueue: 8 }, sessions: 1 })
    const asleep = { sql: 'SELECT sleep(0.5) AS slept' }
    for (const as of ['acme', 'globex'] as const)
      expect((await tenants.ask('PUT /v1/pipes/asleep', as, asleep)).status).toBe(201)
    // What a pipe may reach is asked once, before it first runs.
    for (const as of ['acme', 'globex'] as const)
      expect((await tenants.ask('GET /v1/pipes/asleep', as)).status).toBe(200)
  })
  afterAll(() => tenants.close())

  it('waits for itself: another has the next slot but one, and places where it has none left', async () => {
    const ended: Who[] = []
    const ask = async (as: Who) => {
      const answer = await tenants.ask('GET /v1/pipes/asleep', as)
      ended.push(as)
      return answer
    }
    const limit = async () => (await tenants.ask('GET /v1/status', 'acme')).json.nodes[0].limit
    const first = ask('acme')
    await until('it runs', async () => (await limit()).in_flight === 1)
    const own = [ask('acme'), ask('acme')]
    await until('they wait', async () => (await limit()).queued === 2)
    const refused = await ask('acme')
    expect([refused.status, refused.json]).toMatchObject([
      429,
      {
        type: 'urn:sluice:problem:tenant-busy',
        detail:
          'This tenant has 2 queries waiting for the engine, which is all it may at once. Come back in 1 s, with fewer requests at once.',
      },
    ])
    ended.length = 0
    const others = [ask('globex'), ask('globex')]
    const all = await Promise.all([first, ...own, ...others])
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(ended).toEqual(['acme', 'acme', 'globex', 'acme', 'globex'])
  })
})
