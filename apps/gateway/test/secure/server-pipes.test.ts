import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startClickHouse, type TestClickHouse } from '../nodes/servers.js'
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
})
