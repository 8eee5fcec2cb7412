import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { rawRequest } from '../contract/raw-request.js'
import { undescribed } from '../contract/undescribed.js'
import { type LogLine, type RunningGateway, run, SECRET, until } from '../running-gateway.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-state-'))
const tokens = [{ name: 'ann', token: SECRET, scopes: ['admin'] as const }]
const plain = { tokens, datasets: [], pipes: [] }
const clicks = {
  columns: [{ name: 'time', type: 'DateTime' }],
  plan: { flush_interval_ms: 60_000, requests_per_second: 1000, burst: 1000 },
}
const row = { time: '2026-01-01T12:00:00Z' }

async function ask(gateway: RunningGateway, method: string, path: string, body?: unknown) {
  const typed =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await gateway.get(path, { method, ...typed })
  expect(await undescribed({ method, path }, response.clone()), `${method} ${path} ${response.status}`).toEqual([])
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) }
}

describe('what a gateway keeps', () => {
  const running: RunningGateway[] = []
  const start = async (options: Parameters<typeof run>[0]) => {
    const gateway = await run({ ...plain, ...options })
    running.push(gateway)
    return gateway
  }
  afterEach(async () => void (await Promise.all(running.splice(0).map((it) => it.close()))))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('is there after a restart: definitions, pipes, events, what is paused and in quarantine, notices, keys', async () => {
    const spoolDir = join(folder, 'spool')
    // A server that is not there keeps nobody from anything, as long as there is another node.
    const nodes = [{ name: 'away', url: 'http://127.0.0.1:9' }]
    const first = await start({ spoolDir, nodes, embedded: 1 })
    expect((await ask(first, 'PUT', '/v1/datasources/clicks', clicks)).status).toBe(201)
    expect((await ask(first, 'PUT', '/v1/datasources/held', clicks)).status).toBe(201)
    const away = await ask(first, 'PUT', '/v1/datasources/clicks/route', { node: 'away' })
    expect([away.status, away.json.type]).toEqual([409, 'urn:sluice:problem:node-unreachable'])
    for (const name of ['clicks', 'held'])
      expect((await ask(first, 'PUT', `/v1/datasources/${name}/route`, { node: 'clickhouse-1' })).status).toBe(200)
    expect((await ask(first, 'PUT', '/v1/pipes/count', { sql: 'SELECT count() AS n FROM clicks' })).status).toBe(201)
    await ask(first, 'POST', '/v1/datasources/held/backlog/pause')
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'once' }
    const keyed = { method: 'POST', headers, body: JSON.stringify([row, { when: 1 }]) }
    expect((await first.get('/v1/datasources/clicks/events', keyed)).status).toBe(202)
    expect((await ask(first, 'POST', '/v1/datasources/held/events', [row, row])).json.state).toBe('delayed')
    await expect(run({ ...plain, spoolDir })).rejects.toThrow(
      `spoolDir ${spoolDir} is in use by process ${process.pid}`,
    )
    const startMs = performance.now()
    await first.close() // writes at once what was to be written within a minute
    expect(performance.now() - startMs).toBeLessThan(30_000)
    const found = ({ message }: LogLine) => message === 'found in the spool'
    expect(first.lastLine(found)).toBe(undefined)
    const [segment = ''] = readdirSync(join(spoolDir, 'events')).map((name) => join(spoolDir, 'events', name))
    appendFileSync(segment, readFileSync(segment).subarray(0, 7)) // a record that was cut off

    const second = await start({ spoolDir, nodes, embedded: 1 })
    expect(second.lastLine(found)).toEqual({
      ...{ level: 'info', message: 'found in the spool' },
      fields: {
        ...{ records: 1, rows: 2, bytes: expect.any(Number), dataSources: 1, blocksToLookUp: 0 },
        ...{ tornBytes: 7, damagedStretches: 0 },
      },
    })
    expect((await ask(second, 'GET', '/v1/pipes/count')).json.data).toEqual([{ n: '1' }])
    const { json } = await ask(second, 'GET', '/v1/datasources/clicks')
    expect(json).toMatchObject({
      node: 'clickhouse-1',
      quarantined_rows: 1,
      backlog: { rows: 0 },
      freshness: { lag_s: 0 },
    })
    const held = (await ask(second, 'GET', '/v1/datasources/held')).json
    expect(held).toMatchObject({ backlog: { paused: true, rows: 2 }, freshness: { written_at: null, lag_s: null } })
    expect((await ask(second, 'GET', '/v1/notices?data_source=clicks')).json.notices).toMatchObject([
      { kind: 'quarantined' },
    ])
    expect(await (await second.get('/v1/datasources/clicks/events?wait=true', keyed)).json()).toEqual({
      ...{ accepted: 1, quarantined: 1, state: 'written' },
    })
    expect((await ask(second, 'GET', '/v1/pipes/count')).json.data).toEqual([{ n: '1' }])

    // Who waits for a write is told that it ends before that, not that it took too long.
    const waiting = ask(second, 'POST', '/v1/datasources/held/events?wait=true', [row])
    const rows = async () => (await ask(second, 'GET', '/v1/datasources/held/backlog')).json.rows
    await until('it is accepted', async () => (await rows()) === 3)
    await second.close()
    const { status, json: told } = await waiting
    expect([status, told.type, told.detail]).toEqual([
      ...[504, 'urn:sluice:problem:write-pending'],
      'The 1 row is on disk, but not written when the gateway shut down. That will be done; do not send it again.',
    ])
  })

  it('acknowledges nothing that could not be put on disk', async () => {
    const spoolDir = join(folder, 'failing')
    const gateway = await start({ spoolDir })
    expect((await ask(gateway, 'PUT', '/v1/datasources/clicks', clicks)).status).toBe(201)
    rmSync(join(spoolDir, 'events'), { recursive: true })
    const failed = await ask(gateway, 'POST', '/v1/datasources/clicks/events', [row])
    expect([failed.status, failed.json.type]).toEqual([503, 'urn:sluice:problem:unavailable'])
    expect(gateway.lastLine((it) => it.message === 'events could not be kept')?.fields.error).toContain('ENOENT')
    let closed = Promise.resolve()
    const path = '/v1/datasources/clicks/events'
    const answer = await rawRequest(gateway.port, [`POST ${path} HTTP/1.1`, 'Content-Length: 0'], () => {
      closed = gateway.close()
    })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await undescribed({ method: 'POST', path }, answer)).toEqual([])
    await closed
    expect(readdirSync(spoolDir)).not.toContain('lock')
  })

  it('is nothing without a spool: there are no data sources, and none can be made', async () => {
    const gateway = await start({})
    expect((await ask(gateway, 'GET', '/v1/datasources')).json).toEqual({ data_sources: [], next_cursor: null })
    const unknown = await ask(gateway, 'POST', '/v1/datasources/clicks/events', [row])
    expect([unknown.status, unknown.json.type]).toEqual([404, 'urn:sluice:problem:unknown-data-source'])
    const put = await ask(gateway, 'PUT', '/v1/datasources/clicks', clicks)
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect((await ask(gateway, 'PUT', '/v1/pipes/count', { sql: 'SELECT 1' })).status).toBe(405)
    expect((await ask(gateway, 'GET', '/v1/notices')).json.notices).toEqual([])
    expect((await ask(gateway, 'GET', '/readyz')).status).toBe(200)
  })

  it('is not replaced where it cannot be read, nor begun without a node', async () => {
    const spoolDir = mkdtempSync(join(folder, 'broken-'))
    const file = join(spoolDir, 'data-sources', `${'0'.repeat(32)}.json`)
    mkdirSync(join(spoolDir, 'data-sources'))
    writeFileSync(file, '{"tenant":')
    await expect(run({ ...plain, spoolDir })).rejects.toThrow(`${file}: (the file) is not JSON any more`)
    writeFileSync(file, '{"tenant":"a"}')
    await expect(run({ ...plain, spoolDir })).rejects.toThrow(`${file}: dataset must be a string`)
    expect(readdirSync(spoolDir)).not.toContain('lock')
    await expect(run({ ...plain, embedded: 0 })).rejects.toThrow('options: embedded is 0, and there are no nodes')
    const twice = [{ name: 'clickhouse-1', url: 'http://127.0.0.1:9' }]
    await expect(run({ ...plain, embedded: 1, nodes: twice })).rejects.toThrow(
      'nodes.0.name "clickhouse-1" is there twice',
    )
  })
})
