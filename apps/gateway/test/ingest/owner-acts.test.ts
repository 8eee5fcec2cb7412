import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askDescribed } from '../contract/ask-described.js'
import { generous, patient, type RunningGateway, run, SECRET, until } from '../running-gateway.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-acts-'))
const tokens = [{ name: 'ann', token: SECRET, scopes: ['admin', 'operator'] as const }]
const [WAIT_MS, MOST_BYTES] = [300, 2 * 1_048_576]
const plan = { flush_interval_ms: 20, requests_per_second: 1e6, burst: 1e6, rows_per_second: 1e6 }
const definition = { columns: [{ name: 'id', type: 'String' }], plan }

describe('what owners and administrators do to a data source', () => {
  let gateway: RunningGateway
  beforeAll(async () => {
    const settings = { writeTimeoutMs: WAIT_MS, maxBacklogBytes: MOST_BYTES }
    const others = { tokens, plans: generous, datasets: [], pipes: [], breaker: patient }
    gateway = await run({ ...others, ...settings, spoolDir: join(folder, 'spool') })
  })
  afterAll(async () => {
    process.kill(gateway.enginePid(), 'SIGCONT')
    await gateway.close()
    rmSync(folder, { recursive: true })
  })

  const ask = (method: string, path: string, body?: unknown) => askDescribed(gateway, method, path, body)
  const defined = async (name: string) => {
    expect((await ask('PUT', `/v1/datasources/${name}`, definition)).status).toBe(201)
    const sql = `SELECT count() AS n, countDistinct(id) AS ids FROM ${name}`
    expect((await ask('PUT', `/v1/pipes/${name}`, { sql })).status).toBe(201)
  }
  const send = async (name: string, ids: readonly string[]) =>
    (
      await ask(
        'POST',
        `/v1/datasources/${name}/events`,
        ids.map((id) => ({ id })),
      )
    ).status
  const act = async (name: string, what: 'pause' | 'resume' | 'drop') =>
    (await ask('POST', `/v1/datasources/${name}/backlog/${what}`)).json
  const backlog = async (name: string) => (await ask('GET', `/v1/datasources/${name}/backlog`)).json
  const count = async (name: string) => (await ask('GET', `/v1/pipes/${name}`)).json.data[0]
  const metric = async (line: string) =>
    new RegExp(`^sluice_${line} (\\S+)$`, 'm').exec(await (await gateway.get('/metrics')).text())?.[1]

  it('nothing is written after the answer that it is paused, whatever was under way', async () => {
    await defined('loaded')
    let sent = 0
    let isOver = false
    const statuses = new Set<number>()
    const load = async () => {
      while (!isOver) statuses.add(await send('loaded', [`row-${sent++}`]))
    }
    const senders = Promise.all([load(), load(), load()])
    await until('some is written', async () => Number((await count('loaded')).n) > 5)
    expect(await act('loaded', 'pause')).toMatchObject({ paused: true, blocks_under_way: 0, unknown_blocks: 0 })
    const written = await count('loaded')
    await until('more waits', async () => (await backlog('loaded')).rows > 5)
    isOver = true
    await senders
    expect(statuses).toEqual(new Set([202]))
    expect(await count('loaded')).toEqual(written)
    await act('loaded', 'resume')
    await until('all is written', async () => (await backlog('loaded')).rows === 0)
    expect(await count('loaded')).toEqual({ n: String(sent), ids: String(sent) })
  })

  it('an engine that hangs is waited for so long, and the answer says what may be written yet', async () => {
    await defined('hanging')
    process.kill(gateway.enginePid(), 'SIGSTOP')
    expect(await send('hanging', ['a', 'b'])).toBe(202)
    await until('it is sent', async () => (await backlog('hanging')).blocks_under_way === 1)
    const sinceMs = performance.now()
    const paused = await act('hanging', 'pause')
    expect(performance.now() - sinceMs).toBeGreaterThanOrEqual(WAIT_MS - 5)
    expect(paused).toMatchObject({ paused: true, rows: 2, blocks_under_way: 1, unknown_blocks: 0 })
    process.kill(gateway.enginePid(), 'SIGCONT')
    await until('it has ended', async () => (await act('hanging', 'pause')).blocks_under_way === 0)
    expect([await backlog('hanging'), await count('hanging')]).toMatchObject([{ rows: 0 }, { n: '2' }])
    await act('hanging', 'resume')
  })

  it('a block of which nobody knows is told, is no backlog that may be forgotten, and is written once', async () => {
    await defined('unknown')
    const engine = gateway.enginePid()
    process.kill(engine, 'SIGSTOP')
    expect(await send('unknown', ['a', 'b', 'c'])).toBe(202)
    await until('it is sent', async () => (await backlog('unknown')).blocks_under_way === 1)
    const pausing = act('unknown', 'pause')
    process.kill(engine, 'SIGKILL')
    expect(await pausing).toMatchObject({ paused: true, rows: 3, blocks_under_way: 0, unknown_blocks: 1 })
    const labels = '\\{tenant="default",dataset="default",data_source="unknown"\\}'
    expect(await metric(`unknown_blocks${labels}`)).toBe('1')
    expect((await ask('GET', '/v1/datasources/unknown')).json).toMatchObject({ backlog: { unknown_blocks: 1 } })
    const refused = await ask('DELETE', '/v1/datasources/unknown')
    expect([refused.status, refused.json.type]).toEqual([409, 'urn:sluice:problem:backlog-not-empty'])
    await act('unknown', 'resume')
    await until('it is written', async () => (await backlog('unknown')).rows === 0)
    expect(await count('unknown')).toEqual({ n: '3', ids: '3' })
    expect(await metric(`unknown_blocks${labels}`)).toBe('0')
  })

  it('what waits of all together is within the bound that is set, and of one tenant within half of it', async () => {
    await defined('many')
    await act('many', 'pause')
    const large = ['x', 'y'].map((it) => it.repeat(MOST_BYTES / 8))
    expect(await send('many', large)).toBe(202)
    const path = '/v1/datasources/many/events'
    const full = await ask(
      'POST',
      path,
      large.map((id) => ({ id })),
    )
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^[1-9]\d?$/)])
    expect(full.json.detail).toMatch(/^With this more of your tenant's would wait to be written than one tenant may/)
    expect(await act('many', 'drop')).toMatchObject({ dropped_rows: 2 })
    await act('many', 'resume')
    expect(await send('many', large)).toBe(202)
  })

  it('what a deletion overtakes does not hold for the next one of that name', async () => {
    const path = '/v1/datasources/brief'
    for (const name of ['brief', 'beside']) await ask('PUT', `/v1/datasources/${name}`, definition)
    for (let i = 0; i < 5; i++) {
      // Another act of the tenant is in the line before.
      const acts = [act('beside', i % 2 ? 'pause' : 'resume'), act('brief', 'pause'), ask('DELETE', path)] as const
      const [, paused, gone] = await Promise.all(acts)
      expect([gone.status, paused.paused ?? paused.status]).toEqual([204, expect.toBeOneOf([true, 503, 404])])
      expect((await ask('PUT', path, definition)).status).toBe(201)
      expect(await backlog('brief')).toMatchObject({ paused: false })
    }
    for (const name of ['brief', 'beside']) expect((await ask('DELETE', `/v1/datasources/${name}`)).status).toBe(204)
  })

  it('one that is deleted leaves its table, and nothing that was said of it, also after a restart', async () => {
    await defined('gone')
    await ask('PUT', '/v1/datasources/gone/route', { node: 'clickhouse-1' })
    expect((await ask('GET', '/v1/datasources/gone')).json).toMatchObject({ route: 'clickhouse-1' })
    await ask('POST', '/v1/datasources/gone/events?wait=true', [{ id: 'a' }, { none: 1 }])
    const quarantined = () => readdirSync(join(folder, 'spool', 'quarantine')).length
    expect(quarantined()).toBe(1)
    await act('gone', 'pause')
    expect((await ask('DELETE', '/v1/datasources/gone')).status).toBe(204)
    expect(quarantined()).toBe(0)
    const unknown = 'urn:sluice:problem:unknown-data-source'
    expect((await ask('DELETE', '/v1/datasources/gone')).json.type).toBe(unknown)
    expect((await ask('POST', '/v1/datasources/gone/events', [{ id: 'b' }])).json.type).toBe(unknown)
    expect(await (await gateway.get('/metrics')).text()).not.toMatch(/data_source="gone"/)
    const names = (await ask('GET', '/v1/datasources')).json.data_sources.map((it: { name: string }) => it.name)
    expect(names).toEqual(['hanging', 'loaded', 'many', 'unknown'])
    expect(await count('gone')).toEqual({ n: '1', ids: '1' }) // of the table, which is there
    expect((await ask('DELETE', '/v1/pipes/gone')).status).toBe(204)
    expect((await ask('DELETE', '/v1/pipes/gone')).json.type).toBe('urn:sluice:problem:unknown-pipe')
    await gateway.close()
    gateway = await run({ tokens, plans: generous, datasets: [], pipes: [], spoolDir: join(folder, 'spool') })
    expect((await ask('GET', '/v1/datasources/gone')).json.type).toBe(unknown)
    const pipes = (await ask('GET', '/v1/pipes')).json.pipes.map((it: { name: string }) => it.name)
    expect(pipes).toEqual(['hanging', 'loaded', 'many', 'unknown'])
    await defined('gone') // again, over the same table
    expect((await ask('GET', '/v1/datasources/gone')).json).toMatchObject({
      ...{ route: null, quarantined_rows: 0, backlog: { paused: false } },
    })
    expect(await count('gone')).toEqual({ n: '1', ids: '1' })
  })
})
