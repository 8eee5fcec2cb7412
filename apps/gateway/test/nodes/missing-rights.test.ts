import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { EngineError } from '../../src/nodes/engine-error.js'
import { isForOperator, missingRight } from '../../src/nodes/insert-fault.js'
import { undescribed } from '../contract/undescribed.js'
import { patient, type RunningGateway, run, SECRET } from '../running-gateway.js'

const COLUMNS = [{ name: 'id', type: 'String' }]
const SYSTEM = 'SELECT(name) ON system.databases'
const OWN = 'SELECT(id) ON s_default__default.clicks'

/** A current server answers as it documents: what a user may do there is told in grants. */
describe('a right that the gateway’s user lacks on a node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-rights-'))
  let server: Server
  let gateway: RunningGateway
  /** What needs a right that is not there: how the statement begins, and the right. */
  let lacks: readonly [statement: RegExp, right: string] | undefined
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const sql = await text(request)
      if (lacks?.[0].test(sql)) {
        response.writeHead(403, { 'x-clickhouse-exception-code': '497' })
        response.end(
          `Code: 497. DB::Exception: sluice: Not enough privileges. To execute this query, it's necessary to have the grant ${lacks[1]}. (ACCESS_DENIED) (version 25.8.1.1 (official build))\n`,
        )
        return
      }
      const data = sql.includes('version()') ? [{ version: '25.8.1.1', readonly: '0' }] : []
      response.end(
        `{"meta":[],"data":${JSON.stringify(data)},"rows": 0,"statistics":{"elapsed":0.001,"rows_read":0,"bytes_read":0}}`,
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    const tokens = [{ name: 'ann', token: SECRET, scopes: ['admin'] as const }]
    const nodes = [{ name: 'ch-1', url, user: 'sluice' }]
    gateway = await run({ tokens, nodes, datasets: [], pipes: [], breaker: patient, spoolDir: join(folder, 'spool') })
    expect((await ask('PUT', '/v1/pipes/kept', { sql: 'SELECT id FROM clicks' })).status).toBe(201)
  })
  afterAll(async () => {
    await gateway?.close()
    await new Promise((resolve) => server.close(resolve))
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  beforeEach(() => {
    lacks = undefined
  })

  async function ask(method: string, path: string, body?: unknown) {
    const headers = { 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) }
    const response = await gateway.get(path, { method, ...sent })
    expect(await undescribed({ method, path }, response.clone()), `${method} ${path} ${response.status}`).toEqual([])
    return { status: response.status, json: await response.json() }
  }
  const unavailable = (detail: string) => ({
    status: 503,
    json: {
      ...{ type: 'urn:sluice:problem:unavailable', clickhouse_code: 497 },
      detail: expect.stringMatching(new RegExp(`^${detail} Whoever runs the gateway finds sluice_\\S+ in its log\\.$`)),
    },
  })
  const named = (right: string) =>
    unavailable(
      `The gateway's user on node "ch-1" lacks a right, ${right.replace(/[().*]/g, '\\$&')}; it has to be granted there\\.`,
    )

  it.each([
    [/^CREATE DATABASE/, 'CREATE DATABASE ON s_default__default.*'],
    [/^CREATE TABLE/, 'CREATE TABLE ON s_default__default.clicks'],
    [/^CREATE TABLE/, 'TABLE ENGINE ON MergeTree'],
    [/FROM system.columns/, 'SELECT(name, type) ON system.columns'],
  ])('is named where a data source is defined: %s %s', async (...missing) => {
    lacks = missing
    expect(await ask('PUT', '/v1/datasources/clicks', { columns: COLUMNS })).toMatchObject(named(missing[1]))
  })

  it('is named where a pipe is saved that reads its own data set, or before', async () => {
    lacks = [/system\.databases/, SYSTEM]
    expect(await ask('PUT', '/v1/pipes/new', { sql: 'SELECT id FROM clicks' })).toMatchObject(named(SYSTEM))
    lacks = [/^DESCRIBE/, OWN]
    expect(await ask('PUT', '/v1/pipes/new', { sql: 'SELECT id FROM clicks' })).toMatchObject(named(OWN))
  })

  it('is a matter of its SQL where a pipe reads something else', async () => {
    lacks = [/^DESCRIBE/, 'SELECT(id) ON s_default__default2.clicks']
    const { status, json } = await ask('PUT', '/v1/pipes/new', { sql: 'SELECT id FROM clicks' })
    expect([status, json.errors[0].parameter, json.detail]).toEqual([
      ...[400, 'sql', expect.stringContaining('is refused by the engine: ')],
    ])
  })

  it('is not told to who only asks', async () => {
    lacks = [/^SELECT id FROM clicks/, OWN]
    expect(await ask('GET', '/v1/pipes/kept')).toMatchObject(unavailable('The engine keeps the gateway from this\\.'))
  })
})

describe('the right that an engine says is missing', () => {
  const said = (code: number, message: string) => missingRight(new EngineError(message, code, 'q', 'ch-1'))
  it.each([
    [
      497,
      "Code: 497. DB::Exception: x: Not enough privileges. To execute this query, it's necessary to have the grant INSERT(_block, text) ON s_a__b.clicks. (ACCESS_DENIED)",
      'INSERT(_block, text) ON s_a__b.clicks',
    ],
    [
      497,
      "x: Not enough privileges. To execute this query it's necessary to have grant SELECT(a) ON s_a__b.clicks (version 21.3)",
      'SELECT(a) ON s_a__b.clicks',
    ],
    [
      497,
      "Not enough privileges. To execute this query, it's necessary to have the grant CREATE DATABASE ON s_a__b.*",
      'CREATE DATABASE ON s_a__b.*',
    ],
    [
      291,
      'Code: 291, e.displayText() = DB::Exception: Access denied to database s_a__b, e.what() = DB::Exception',
      'the database s_a__b',
    ],
    [497, 'Not enough privileges.', undefined],
    [241, "it's necessary to have the grant SELECT ON a.b.", undefined],
  ])('%d %s', (code, message, right) => {
    expect(said(code, message)).toBe(right)
  })

  it('is for who runs the engine to mend, unless it is one to what SQL may not read', () => {
    const is = (code: number, message: string, own?: string) =>
      isForOperator(new EngineError(message, code, 'q', 'ch-1'), own)
    for (const code of [291, 497]) {
      expect(is(code, 'no access to s_a__b.clicks')).toBe(true)
      expect(is(code, 'no access to s_a__b.clicks', 's_a__b')).toBe(true)
      expect(is(code, 'no access to s_a__b2.clicks', 's_a__b')).toBe(false)
      // As an embedded engine says of a database that nobody may read.
      expect(is(code, 'Direct access to `_temporary_and_external_tables` database is not allowed', 's_a__b')).toBe(
        false,
      )
    }
    expect([is(164, 'it would write', 's_a__b'), is(60, 'no table', 's_a__b'), is(999, 'no keeper', 's_a__b')]).toEqual(
      [...[false, false, true]],
    )
  })
})
