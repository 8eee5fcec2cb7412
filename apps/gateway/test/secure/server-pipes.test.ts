import { ServerNode } from '@sluice/gateway/nodes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SURROUNDINGS_SQL, surroundingsOf } from '../../src/pipes/reach.js'
import { startClickHouse, type TestClickHouse } from '../nodes/servers.js'
import { holdWordsTo, SECRET, SQL_RUNS } from './sql-soup.js'
import { startTenants, type Tenants } from './tenants.js'

describe('a pipe over a server, be it an old one', () => {
  let server: TestClickHouse
  let tenants: Tenants
  beforeAll(async () => {
    server = await startClickHouse()
    const { url, user, password } = server
    tenants = await startTenants({ nodes: [{ name: 'old', url, user, password }] })
  })
  afterAll(async () => {
    await tenants.close()
    await server.close()
  })

  it.each([
    ['SELECT text FROM s_globex__default.secrets', 'names the database s_globex__default;'],
    ['SELECT name FROM system.tables', 'names the database system;'],
    ["SELECT * FROM file('a.tsv', 'TSV', 'a String')", 'has file, '],
    ["SELECT * FROM url('http://127.0.0.1:9/', 'TSV', 'a String')", 'calls url, '],
    ["SELECT * FROM remote('127.0.0.1', 's_globex__default', 'secrets')", 'calls remote, '],
    ["SELECT * FROM merge('s_globex__default', 'secrets')", 'calls merge, '],
  ])('is refused: %s', async (sql, message) => {
    const { status, json } = await tenants.ask('PUT /v1/pipes/reach', 'acme', { sql })
    expect([status, json.errors[0].message]).toEqual([400, expect.stringContaining(message)])
  })

  it('reads its own', async () => {
    const own = await tenants.ask('PUT /v1/pipes/own', 'acme', { sql: 'SELECT c.text AS text FROM clicks AS c' })
    expect([own.status, own.text]).toEqual([201, expect.any(String)])
    expect((await tenants.ask('GET /v1/pipes/own', 'acme')).json.data).toEqual([{ text: 'a click' }])
  })

  it('calls no table function, whatever its words are; that it names no other database is up to these', async () => {
    const { url, user, password } = server
    const logger = { info: () => undefined, warn: () => undefined, error: () => undefined }
    const node = new ServerNode({ name: 'old', url, user, password, logger })
    const as = { params: {}, timeoutMs: 5000, namespace: 'acme/default' }
    for (const call of [
      ...["file('a.tsv', 'TSV', 'a String')", "url('http://127.0.0.1:9/', 'TSV', 'a String')", 'numbers(1)'],
      ...["merge('s_globex__default', 'secrets')", "remote('127.0.0.1', 's_globex__default', 'secrets')"],
    ]) {
      const { clickhouseCode } = await node.query({ ...as, sql: `SELECT * FROM ${call}` }).answer.catch((it) => it)
      expect([call, clickhouseCode]).toEqual([call, 164])
    }
    const { body } = await node.query({ ...as, sql: 'SELECT text FROM s_globex__default.secrets' }).answer
    expect(JSON.parse(body).data).toEqual([{ text: SECRET }])
    await node.close()
  })

  it(`has its SQL read as it was looked at, ${SQL_RUNS} times`, async () => {
    expect(await server.sql('SELECT text FROM s_globex__default.secrets')).toBe(SECRET)
    const lines = (await server.sql(`${SURROUNDINGS_SQL} FORMAT TSV`)).split('\n').map((it) => it.split('\t'))
    const there = surroundingsOf(lines.map(([kind = '', name = '']) => ({ kind, name })))
    expect(there.databases).toContain('s_globex__default')
    const { accepted, ran } = await holdWordsTo((sql) => server.sql(sql), there)
    expect([accepted > SQL_RUNS / 20, ran > SQL_RUNS / 50]).toEqual([true, true])
  }, 600_000)
})
