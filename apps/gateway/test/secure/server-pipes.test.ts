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

  it('is refused a database that is not there yet, as it would read that one day', async () => {
    const later = ['IN later.words', 'IN (later.words)', 'IN ((later.words AS w))', 'IN (SELECT text FROM later.words)']
    for (const place of later) {
      const sql = `SELECT text FROM clicks WHERE text ${place}`
      const { status, json } = await tenants.ask('PUT /v1/pipes/later', 'acme', { sql })
      expect([status, json.errors[0].parameter]).toEqual([400, 'sql'])
      expect(json.detail).toMatch(/the database later[.;]/)
    }
    expect(await tenants.ask('GET /v1/pipes/later', 'acme')).toMatchObject({ status: 404 })
    // What the words stand alone for.
    await server.sql('CREATE DATABASE later')
    await server.sql('CREATE TABLE later.words (text String) ENGINE = Memory')
    await server.sql("INSERT INTO later.words VALUES ('a click')")
    for (const place of later)
      expect(await server.sql(`SELECT text FROM s_acme__default.clicks WHERE text ${place}`)).toBe('a click')
    await server.sql('DROP DATABASE later')
  })

  it('is refused what stands behind IN for a table of a database that is not there yet', async () => {
    const seven = 'SELECT 7 IN q AS seven, 8 IN q AS eight FROM (SELECT 1 AS id, id AS `later.t`)'
    const numbers = '(SELECT number, number AS `later.t` FROM (SELECT arrayJoin(range(20)) AS number))'
    const reading = [
      [`WITH later.t AS q ${seven}`, '1\t0'],
      [`WITH later.t AS q SELECT number FROM ${numbers} WHERE number IN q`, '7'],
      [`WITH (later.t AS p) AS q ${seven}`, '1\t0'],
      [`WITH later.t AS end, end AS q ${seven}`, '1\t0'],
    ] as const
    for (const [sql] of reading) {
      const { status, json } = await tenants.ask('PUT /v1/pipes/alias', 'acme', { sql })
      expect([status, json.errors[0].parameter]).toEqual([400, 'sql'])
      expect(json.detail).toContain('has q behind IN, which stands for another name there')
    }
    expect(await tenants.ask('GET /v1/pipes/alias', 'acme')).toMatchObject({ status: 404 })
    // What the words alone stand for.
    await server.sql('CREATE DATABASE later')
    await server.sql('CREATE TABLE later.t (x UInt8) ENGINE = Memory')
    await server.sql('INSERT INTO later.t VALUES (7)')
    for (const [sql, rows] of reading) expect(await server.sql(sql)).toBe(rows)
    await server.sql('DROP DATABASE later')
  })

  it.each([
    ['IN (SELECT text FROM nowhere)', 'names a table that its node does not have'],
    ['IN nowhere', 'names a table that its node does not have'],
    ['IN (SELECT nothing FROM clicks)', 'names a column that its node does not have'],
    ['IN (SELECT nothing(text) FROM clicks)', 'calls a function that its node does not have'],
  ])('is 409 where the server looks for a name only when it runs: %s', async (place, message) => {
    const sql = `SELECT upper(text) ${place} AS is_there FROM clicks`
    expect((await tenants.ask('PUT /v1/pipes/late', 'acme', { sql })).status).toBeLessThan(300)
    const { status, json } = await tenants.ask('GET /v1/pipes/late', 'acme')
    expect([status, json.type]).toEqual([409, 'urn:sluice:problem:pipe-refused'])
    const remedy = 'It is kept and does not run; save it with other SQL, or delete it.'
    expect(json.detail).toBe(`The SQL of "late" ${message}. ${remedy}`)
    const logged = tenants.gateway.lastLine((it) => it.message === 'engine refused a pipe')
    expect(logged?.fields).toMatchObject({
      pipe: 'acme/default/late',
      node: 'old',
      message: expect.stringMatching(/no/),
    })
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
