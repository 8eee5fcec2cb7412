import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mountSmallDisk, type SmallDisk } from '../../soak/small-disk.js'
import { fileNameOf } from '../../src/state/line-log.js'
import { askDescribed } from '../contract/ask-described.js'
import { generous, patient, type RunningGateway, run, SECRET, until } from '../running-gateway.js'

const isRoot = process.getuid?.() === 0
const root = mkdtempSync(join(tmpdir(), 'sluice-full-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const columns = [{ name: 'id', type: 'UInt32' }]
const plan = { requests_per_second: 1e6, burst: 1e6 }
const more = [...columns, { name: 'text', type: 'String' }]
const KEY = 'default/default/clicks'

// A file system of its own is root's to mount: elsewhere this is told as skipped.
describe.skipIf(!isRoot)('while the disk is full', () => {
  let disk: SmallDisk
  let gateway: RunningGateway
  const fill = () => writeFileSync(join(disk.folder, 'fill'), Buffer.alloc(disk.freeBytes))
  const makeRoom = () => rmSync(join(disk.folder, 'fill'))
  beforeAll(async () => {
    disk = mountSmallDisk(join(root, 'disk'), 40) // of which the spool leaves 32 alone
    const spoolDir = join(disk.folder, 'spool')
    mkdirSync(join(spoolDir, 'pipeline'), { recursive: true })
    // It takes twenty minutes to get a limit.
    const limit = { saturation: { valueMs: 1_200_000 }, rowsPerSecond: 1e6, healthyForMs: 0 }
    const pipeline = { guard: { breaker: [], limits: [[KEY, limit]] }, paused: [], routes: [] }
    const file = `${fileNameOf(join(spoolDir, 'pipeline'), 'default')}.json`
    writeFileSync(file, JSON.stringify({ tenant: 'default', pipeline, freshness: [] }))
    const tokens = [{ name: 'ann', token: SECRET, scopes: ['admin'] as const }]
    const dataDir = join(root, 'engine')
    gateway = await run({ tokens, plans: generous, datasets: [], pipes: [], spoolDir, dataDir, embedded: 2 })
    expect((await ask('PUT', '/v1/datasources/clicks', { columns, plan })).status).toBe(201)
    expect((await ask('PUT', '/v1/pipes/count', { sql: 'SELECT count() AS n FROM clicks' })).status).toBe(201)
  })
  afterAll(async () => {
    await gateway.close()
    disk.unmount()
  })

  const ask = (method: string, path: string, body?: unknown) => askDescribed(gateway, method, path, body)
  /** All that can be changed, as a caller sees it. */
  const seen = async () => {
    const { freshness: _, ...clicks } = (await ask('GET', '/v1/datasources/clicks')).json
    const sources = (await ask('GET', '/v1/datasources')).json
    const pipes = (await ask('GET', '/v1/pipes')).json
    return { clicks, sources, pipes, count: (await ask('GET', '/v1/pipes/count')).json.meta }
  }

  const of = '/v1/datasources/clicks'
  /** So many batches that to mark them takes more than what is left of a page of the disk. */
  const sendMuch = async () => {
    const sent = { method: 'POST', body: '[{"id":1}]', headers: { 'content-type': 'application/json' } }
    const answers = await Promise.all(Array.from({ length: 550 }, () => gateway.get(`${of}/events`, sent)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
  }
  it.each<readonly [method: string, path: string, body: unknown, status: number]>([
    ['PUT', of, { columns: more, plan }, 200],
    ['PUT', '/v1/datasources/fresh', { columns }, 201],
    ['PUT', '/v1/pipes/count', { sql: 'SELECT 1 AS other' }, 200],
    ['PUT', '/v1/pipes/fresh', { sql: 'SELECT 1 AS one' }, 201],
    ['POST', `${of}/backlog/pause`, undefined, 200],
    ['POST', `${of}/backlog/drop`, undefined, 200],
    ['POST', `${of}/backlog/resume`, undefined, 200],
    ['PUT', `${of}/route`, { node: 'clickhouse-2' }, 200],
    ['PUT', `${of}/route`, { node: null }, 200],
    ['DELETE', `${of}/limit`, undefined, 204],
  ])('%s %s %j is answered 503 and changes nothing, and goes through once there is room', async (...asked) => {
    const [method, path, body, status] = asked
    if (path.endsWith('/drop')) await sendMuch()
    const before = await seen()
    fill()
    const refused = await ask(method, path, body)
    expect([refused.status, refused.headers.get('retry-after'), refused.json]).toEqual([
      503,
      null, // nobody knows when there is room
      {
        ...{ type: 'urn:sluice:problem:unavailable', title: 'Unavailable', status: 503 },
        detail:
          'This could not be put on disk, and nothing has changed. Whoever runs the gateway finds why in its log.',
      },
    ])
    expect(gateway.lastLine(({ level }) => level === 'error')?.fields.error).toMatch('ENOSPC')
    expect(await seen()).toEqual(before)
    makeRoom()
    const there = readdirSync(join(disk.folder, 'spool'), { encoding: 'utf8', recursive: true })
    expect(there.filter((name) => name.endsWith('.new'))).toEqual([])
    expect((await ask(method, path, body)).status).toBe(status)
    expect(await seen()).not.toEqual(before)
  })

  it.each(['/v1/pipes/fresh', '/v1/datasources/fresh'])('DELETE %s needs no room', async (path) => {
    const before = await seen()
    fill()
    expect((await ask('DELETE', path)).status).toBe(204)
    makeRoom()
    expect(await seen()).not.toEqual(before)
  })

  it('no table is made for a definition that the disk has not taken: another one is not in conflict with it', async () => {
    fill()
    expect((await ask('PUT', '/v1/datasources/other', { columns })).status).toBe(503)
    makeRoom()
    const columnsOfAnother = [{ name: 'id', type: 'String' }]
    expect((await ask('PUT', '/v1/datasources/other', { columns: columnsOfAnother })).status).toBe(201)
  })
})

// By default the engine's files are on the disk of the spool.
describe.skipIf(!isRoot)('while the disk of the engine is full', () => {
  let disk: SmallDisk
  let gateway: RunningGateway
  beforeAll(async () => {
    disk = mountSmallDisk(join(root, 'engine-disk'), 40)
    const tokens = [{ name: 'ann', token: SECRET, scopes: ['admin'] as const }]
    const folders = { spoolDir: mkdtempSync(join(root, 'spool-')), dataDir: join(disk.folder, 'engine') }
    gateway = await run({ tokens, plans: generous, datasets: [], pipes: [], ...folders, breaker: patient })
  })
  afterAll(async () => {
    await gateway.close()
    disk.unmount()
  })
  const put = async (path: string, body: unknown) => {
    const sent = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    return (await gateway.get(path, sent)).status
  }

  it('no table is made or changed, as it would lose its definition, and the engine starts again', async () => {
    const [clicks, fresh] = ['/v1/datasources/clicks', '/v1/datasources/fresh']
    expect(await put(clicks, { columns })).toBe(201)
    writeFileSync(join(disk.folder, 'fill'), Buffer.alloc(disk.freeBytes))
    expect([await put(clicks, { columns: more }), await put(fresh, { columns })]).toEqual([503, 503])
    expect(gateway.lastLine(({ level }) => level === 'error')?.fields.error).toMatch(
      /^The table of default\/default\/fresh on clickhouse-1 cannot be written \(Code: 243\. The disk of \S+ has \d+ bytes left;/,
    )
    const pid = gateway.enginePid()
    process.kill(pid, 'SIGKILL')
    await until('the engine is there again', () => gateway.enginePid() !== pid)
    rmSync(join(disk.folder, 'fill'))
    await until('there is room', async () => (await put(fresh, { columns })) === 201)
    expect(await put(clicks, { columns: more })).toBe(200)
  })
})
