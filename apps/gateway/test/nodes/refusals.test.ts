import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EngineError, NodeUnavailableError, ServerNode } from '@sluice/gateway/nodes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { undescribed } from '../contract/undescribed.js'
import { patient, type RunningGateway, run, SECRET, until } from '../running-gateway.js'
import { startClickHouse, type TestAccess, type TestClickHouse } from './servers.js'
import { blockOf, clicks, rowsOf } from './store-node.contract.js'

const never = new AbortController().signal
const folder = mkdtempSync(join(tmpdir(), 'sluice-refusals-'))
const tokens = [{ name: 'ann', token: SECRET, scopes: ['admin', 'operator'] as const }]
const plan = { flush_interval_ms: 20, requests_per_second: 1e6, burst: 1e6, rows_per_second: 1e6 }
const definition = { columns: [{ name: 'id', type: 'String' }], plan }
const ALL: TestAccess = {}
const OTHER_PASSWORD: TestAccess = { password: 'another' }

let server: TestClickHouse
beforeAll(async () => {
  server = await startClickHouse()
})
afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})

describe('a gateway before a server that knows another password', () => {
  let gateway: RunningGateway
  beforeAll(async () => {
    await server.admit(OTHER_PASSWORD)
    const { url, user, password } = server
    const nodes = [{ name: 'ch-1', url, user, password }]
    const others = { tokens, datasets: [], pipes: [], breaker: patient }
    gateway = await run({ ...others, nodes, spoolDir: join(folder, 'spool') })
  })
  afterAll(() => gateway?.close())

  /** Asks, and holds the answer to the document. */
  async function ask(method: string, path: string, body?: unknown) {
    const headers = { 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) }
    const response = await gateway.get(path, { method, ...sent })
    expect(await undescribed({ method, path }, response.clone()), `${method} ${path} ${response.status}`).toEqual([])
    const text = await response.text()
    return { status: response.status, type: response.headers.get('content-type'), json: text && JSON.parse(text) }
  }
  /** What those see who look whether it is well. */
  const condition = async () => {
    const ready = await ask('GET', '/readyz')
    const health = await ask('GET', '/healthz')
    const status = await ask('GET', '/v1/status')
    const metrics = await (await gateway.get('/metrics')).text()
    return {
      ...{ ready: ready.status, health: health.status, status: status.json.state, node: status.json.nodes[0].state },
      up: /^sluice_node_up\{node="ch-1"\} (\d)$/m.exec(metrics)?.[1],
    }
  }
  const WELL = { ready: 200, health: 200, status: 'ok', node: 'up', up: '1' }
  const DOWN = { ready: 503, health: 503, status: 'down', node: 'down', up: '0' }
  const UNAVAILABLE = {
    ...{ status: 503, type: 'application/problem+json' },
    json: { type: 'urn:sluice:problem:unavailable', detail: 'The engine does not serve the gateway (Code: 193).' },
  }
  const logged = (...messages: string[]) => gateway.log.filter(({ message }) => messages.includes(message))
  /** Those of the node: what each is, and says. */
  const told = async (): Promise<[kind: string, message: string][]> => {
    const { notices } = (await ask('GET', '/v1/notices')).json as { notices: { kind: string; message: string }[] }
    return notices.flatMap(({ kind, message }) => (kind.startsWith('node-') ? [[kind, message]] : []))
  }
  const notices = async () => (await told()).map(([kind]) => kind)
  /** Of a data source, wherever it is told. */
  const stateOfClicks = async () => {
    const { state, state_since } = (await ask('GET', '/v1/datasources/clicks')).json
    const [listed] = (await ask('GET', '/v1/datasources')).json.data_sources
    const [followed] = (await ask('GET', '/v1/status')).json.data_sources
    const metrics = await (await gateway.get('/metrics')).text()
    const labels = `tenant="default",dataset="default",data_source="clicks",state="${state}"`
    return {
      ...{ state, listed: listed.state, followed: followed.state, since: [listed.state_since, followed.state_since] },
      ...{ state_since, isInMetrics: metrics.includes(`sluice_data_source_state{${labels}} 1`) },
    }
  }
  const expectState = async (state: 'flowing' | 'delayed', afterMs: number) => {
    await until(`it is ${state}`, async () => (await stateOfClicks()).state === state)
    const { state_since, since, ...told } = await stateOfClicks()
    expect(told).toEqual({ state, listed: state, followed: state, isInMetrics: true })
    expect(since).toEqual([state_since, state_since])
    expect(Date.parse(state_since)).toBeGreaterThanOrEqual(afterMs)
  }

  it('is down for all, says so in one line, and answers 503', async () => {
    expect(await condition()).toEqual(DOWN)
    expect(await ask('PUT', '/v1/datasources/clicks', definition)).toMatchObject(UNAVAILABLE)
    expect(await ask('PUT', '/v1/pipes/one', { sql: 'SELECT 1 AS one' })).toMatchObject(UNAVAILABLE)
    await until('owners are told', async () => (await notices()).includes('node-down'))
    expect(await told()).toEqual([
      [
        'node-down',
        'Node "ch-1" refuses the gateway (Code: 193). What goes there waits, and its data sources are delayed; queries that need it fail.',
      ],
    ])
    const fields = { node: 'ch-1', error: expect.stringMatching(/^Code: 193, .* Wrong password for user \*\*\*, /) }
    const remedy = 'give this node, in the settings of the gateway, a user and password that the server has'
    expect(logged('server refuses the gateway')).toEqual([
      { level: 'error', message: 'server refuses the gateway', fields: { ...fields, remedy } },
    ])
    expect(JSON.stringify(gateway.log)).not.toContain(server.password)
  })

  it('is well within seconds once it is let in', async () => {
    await server.admit(ALL)
    const sinceMs = performance.now()
    await until('it is well', async () => (await ask('GET', '/readyz')).status === 200)
    expect(performance.now() - sinceMs).toBeLessThan(10_000)
    expect(await condition()).toEqual(WELL)
    expect(logged('server answers')).toEqual([
      { level: 'info', message: 'server answers', fields: { node: 'ch-1', version: '18.16.1' } },
    ])
    await until('owners are told', async () => (await notices()).includes('node-up'))
    expect((await ask('PUT', '/v1/datasources/clicks', definition)).status).toBe(201)
    expect((await ask('PUT', '/v1/pipes/ids', { sql: 'SELECT id FROM clicks ORDER BY id' })).status).toBe(201)
    expect((await ask('POST', '/v1/datasources/clicks/events?wait=true', [{ id: 'a' }])).status).toBe(200)
    expect((await ask('GET', '/v1/pipes/ids')).json.data).toEqual([{ id: 'a' }])
  })

  it('is down at the first refusal where the password changes meanwhile; what waits is written once when it is right again', async () => {
    const beganAtMs = Date.now()
    await server.admit(OTHER_PASSWORD)
    const send = async (id: string) => (await ask('POST', '/v1/datasources/clicks/events', [{ id }])).status
    expect(await send('b')).toBe(202)
    expect(await ask('GET', '/v1/pipes/ids')).toMatchObject(UNAVAILABLE)
    expect(await condition()).toEqual(DOWN)
    expect(await send('c')).toBe(202)
    expect(await ask('PUT', '/v1/pipes/ids', { sql: 'SELECT 1 AS one' })).toMatchObject(UNAVAILABLE)
    expect(await ask('PUT', '/v1/datasources/other', definition)).toMatchObject(UNAVAILABLE)
    await expectState('delayed', beganAtMs)
    const mendedAtMs = Date.now()
    await server.admit(ALL)
    const sinceMs = performance.now()
    await until('it is well', async () => (await ask('GET', '/readyz')).status === 200)
    await until('it is written', async () => (await ask('GET', '/v1/pipes/ids')).json.data?.length === 3)
    expect(performance.now() - sinceMs).toBeLessThan(10_000)
    expect((await ask('GET', '/v1/pipes/ids')).json.data).toEqual(['a', 'b', 'c'].map((id) => ({ id })))
    await expectState('flowing', mendedAtMs)
    expect((await told())[0]).toEqual(['node-up', 'Node "ch-1" is there again. What waited for it is written.'])
    expect(await condition()).toEqual(WELL)
    expect(logged('server refuses the gateway', 'server answers').map(({ message }) => message)).toEqual([
      ...['server refuses the gateway', 'server answers', 'server refuses the gateway', 'server answers'],
    ])
    expect(logged('engine refused a query')).toEqual([])
  })

  it('is up where it may not use one database: what needs that is 503, and nobody else’s SQL is blamed', async () => {
    await server.admit({ database: 'elsewhere' })
    const kept = { status: 503, json: { type: 'urn:sluice:problem:unavailable', clickhouse_code: 291 } }
    expect(await ask('GET', '/v1/pipes/ids')).toMatchObject(kept)
    expect(await ask('PUT', '/v1/pipes/ids', { sql: 'SELECT id FROM clicks' })).toMatchObject(kept)
    const refused = await ask('PUT', '/v1/datasources/other', definition)
    expect(refused).toMatchObject(kept)
    const right = 'lacks a right, the database s_default__default; it has to be granted there.'
    expect(refused.json.detail).toContain(`The gateway's user on node "ch-1" ${right}`)
    expect(await condition()).toEqual(WELL)
    expect(logged('engine refused a query').map(({ fields }) => [fields.node, fields.clickhouseCode])).toEqual(
      Array(3).fill(['ch-1', 291]),
    )
    await server.admit(ALL)
    expect((await ask('GET', '/v1/pipes/ids')).status).toBe(200)
    expect((await ask('PUT', '/v1/pipes/ids', { sql: 'SELECT id FROM no_such_table' })).status).toBe(400)
  })
})

describe('a server', () => {
  const log: (readonly [string, unknown])[] = []
  const line = (message: string, fields: unknown) => void log.push([message, fields])
  const logger = { info: line, warn: line, error: line }
  const nodes: ServerNode[] = []
  const started = async (): Promise<ServerNode> => {
    log.splice(0)
    const { url, user, password } = server
    const node = new ServerNode({ name: 'ch-1', url, user, password, logger })
    nodes.push(node)
    await node.start()
    return node
  }
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.close()))
  })
  const read = (node: ServerNode, sql = 'SELECT 1 AS one') =>
    node.query({ sql, params: {}, timeoutMs: 5000 }).answer.then(
      ({ rows }) => rows,
      (error) => error,
    )

  it.each<[string, TestAccess, number, string]>([
    ['from another address', { ip: '127.0.0.9' }, 195, 'let its user connect from the address of the gateway'],
    ['with a profile that nothing may be set in', { readonly: 1 }, 164, 'give its user a profile without readonly'],
  ])('is down that lets its user in %s', async (_, access, code, remedy) => {
    await server.admit(access)
    const node = await started()
    expect(node.state).toBe('down')
    expect(log).toEqual([['server refuses the gateway', expect.objectContaining({ node: 'ch-1' })]])
    expect(log[0]?.[1]).toMatchObject({ remedy: `${remedy}, on the server` })
    expect(await read(node)).toMatchObject({ clickhouseCode: code, retryAfterMs: 1000 })
    expect(await read(node)).toBeInstanceOf(NodeUnavailableError)
    expect(await node.insert(blockOf('x', rowsOf(1)), never).catch((it) => it)).toMatchObject({ fault: 'node' })
    await server.admit(ALL)
    await until('it is up, whoever asks', () => node.state === 'up') // nothing but itself does
    expect(log.map(([message]) => message)).toEqual(['server refuses the gateway', 'server answers'])
  })

  it('is up that can only be read, until something is to be written', async () => {
    const ready = await started()
    await ready.define(clicks, never)
    await server.admit({ readonly: 2 })
    const node = await started()
    expect([node.state, await read(node)]).toEqual(['up', 1])
    // Of one that was written to before, a block is known not to be there: it could be looked up.
    const error = await ready.insert(blockOf('read-only', rowsOf(1)), never).catch((it) => it)
    expect(error).toMatchObject({ name: 'InsertError', fault: 'node' })
    expect(ready.state).toBe('down')
    expect(await node.define(clicks, never).catch((it) => it)).toMatchObject({ clickhouseCode: 164 })
    expect([node.state, await read(node)]).toEqual(['down', expect.any(NodeUnavailableError)])
    await server.admit(ALL)
    await until('they are up', () => node.state === 'up' && ready.state === 'up')
    await node.insert(blockOf('read-only', rowsOf(1)), never)
    expect(await node.hasBlock(blockOf('read-only', rowsOf(1)), never)).toBe(true)
  })

  it('leaves open what became of a block that it refuses with all else, until it can be asked', async () => {
    await server.admit(ALL)
    const node = await started()
    await node.define(clicks, never)
    await server.admit(OTHER_PASSWORD)
    const block = blockOf('refused', rowsOf(1))
    const error = await node.insert(block, never).catch((it) => it)
    expect(error).toMatchObject({ name: 'NodeUnavailableError', clickhouseCode: 193 })
    expect(await node.hasBlock(block, never).catch((it) => it)).toMatchObject({ clickhouseCode: 193 })
    expect(await node.insert(block, never).catch((it) => it)).toMatchObject({ name: 'InsertError', fault: 'node' })
    await server.admit(ALL)
    expect(await node.hasBlock(block, never)).toBe(false)
    expect(node.state).toBe('up')
  })

  it('is up whatever a caller’s SQL would write', async () => {
    await server.admit(ALL)
    const node = await started()
    const error = await read(node, 'CREATE DATABASE of_a_caller')
    expect(error).toBeInstanceOf(EngineError)
    expect(error).toMatchObject({ clickhouseCode: 164, node: 'ch-1' })
    expect(node.state).toBe('up')
  })

  it('is ready again by itself once it is there, where nothing is kept in a spool', async () => {
    await server.kill()
    const { url, user, password } = server
    const gateway = await run({ datasets: [], pipes: [], nodes: [{ name: 'ch-1', url, user, password }] })
    const status = async () => (await gateway.get('/readyz')).status
    try {
      expect(await status()).toBe(503)
      const told = async () => (await (await gateway.get('/v1/notices')).json()).notices
      await until('owners are told', async () => (await told()).length > 0)
      expect((await told())[0].message).toMatch(/^Node "ch-1" does not answer \(ECONNREFUSED\)\. What goes there waits/)
      await server.restart()
      await until('it is ready', async () => (await status()) === 200)
      const lines = gateway.log.map(({ message }) => message).filter((it) => it.startsWith('server '))
      expect(lines).toEqual(['server does not answer', 'server answers'])
    } finally {
      await gateway.close()
    }
  })
})
