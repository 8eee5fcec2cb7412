import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedNode } from '@sluice/gateway/nodes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SURROUNDINGS_SQL, surroundingsOf } from '../../src/pipes/reach.js'
import { blockOf } from '../nodes/store-node.contract.js'
import { holdWordsTo, SECRET, SQL_RUNS } from './sql-soup.js'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const never = new AbortController().signal
const THEIRS = 's_globex__default.secrets'
/** Some with names that begin as another's does. */
const TENANTS = ['acme', 'globex', 'globe', 'globex_', 'globexx', 'Globex']

/** An embedded engine with a table of each of two tenants, and nobody before it who looks at words. */
describe('an embedded engine', () => {
  let node: EmbeddedNode
  /** @param as whose pipe it is; none: the gateway itself asks */
  const rows = async (sql: string, as?: string) => {
    const namespace = as === undefined ? {} : { namespace: `${as}/default` }
    const { body } = await node.query({ sql, params: {}, timeoutMs: 5000, ...namespace }).answer
    return JSON.parse(body).data as Record<string, unknown>[]
  }
  beforeAll(async () => {
    node = new EmbeddedNode({ sessions: 2, maxWaiting: 8, tenants: TENANTS, datasets: [], logger: silent })
    await node.start()
    const columns = [{ name: 'text', type: 'String' as const }]
    for (const tenant of TENANTS) {
      const isTheirs = tenant === 'globex'
      const source = `${tenant}/default/${isTheirs ? 'secrets' : 'clicks'}`
      const text = isTheirs ? SECRET : 'a click'
      await node.define({ source, columns, orderBy: ['text'] }, never)
      await node.insert({ ...blockOf('b', [JSON.stringify({ text })], source), partition: '' }, never)
    }
  })
  afterAll(() => node.close())

  it.each([
    `SELECT text FROM ${THEIRS}`,
    `SELECT text FROM clicks WHERE text IN ${THEIRS}`,
    `SELECT * FROM merge('s_globex__default', '.*')`,
    `SELECT * FROM loop('s_globex__default', 'secrets') LIMIT 1`,
    `SELECT * FROM mergeTreeIndex('s_globex__default', 'secrets')`,
    `SELECT * FROM remote('127.0.0.1', 's_globex__default', 'secrets')`,
    `SELECT hasColumnInTable('s_globex__default', 'secrets', 'text')`,
    `SELECT * FROM file('/etc/passwd', LineAsString)`,
    'SELECT * FROM default.`/etc/passwd`',
    `SELECT * FROM url('http://127.0.0.1:1/', LineAsString)`,
    `SELECT * FROM s3('http://127.0.0.1:1/bucket/a', NOSIGN, 'LineAsString')`,
    `SELECT * FROM executable('x', 'TSV', 'a String')`,
    `DESCRIBE (SELECT * FROM url('http://127.0.0.1:1/a.csv'))`,
    `INSERT INTO clicks VALUES ('x', 'y')`,
    'CREATE TEMPORARY TABLE x (a UInt8)',
    'DROP TABLE clicks',
  ])('itself lets a tenant not: %s', async (sql) => {
    // No such rights, or nothing there that it may see; 164 says that nothing is written for anybody.
    const { clickhouseCode } = await rows(sql, 'acme').catch((error) => error)
    expect([164, 497, 636]).toContain(clickhouseCode)
  })

  it.each([
    `SELECT name FROM system.databases WHERE name != 's_acme__default'`,
    'SELECT name FROM system.tables',
    'SELECT query FROM system.processes',
    'SELECT name FROM system.settings',
    'SELECT table_name FROM information_schema.tables',
    `SELECT text FROM viewIfPermitted(SELECT text FROM ${THEIRS} ELSE null('text String'))`,
  ])('itself shows a tenant nothing: %s', async (sql) => {
    expect(await rows(sql, 'acme')).toEqual([])
  })

  it('itself keeps neither of these from a tenant: the words do', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-outfile-'))
    expect(await rows(`SELECT length(file('/etc/passwd')) > 0 AS is_read`, 'acme')).toEqual([{ is_read: 1 }])
    await rows(`SELECT 1 INTO OUTFILE '${folder}/x'`, 'acme').catch(() => undefined)
    expect(existsSync(join(folder, 'x'))).toBe(true)
    rmSync(folder, { recursive: true })
  })

  it('lets each have its own, and the gateway all, on sessions that are anybody’s', async () => {
    const all = Array.from({ length: 4 }, async () => [
      await rows('SELECT text FROM clicks', 'acme'),
      await rows('SELECT text FROM secrets', 'globex'),
      await rows(`SELECT text FROM ${THEIRS}`),
      await rows('SELECT number + 1 AS one FROM numbers(1) AS n JOIN clicks ON 1 = 1', 'acme'),
      await rows(`SELECT text FROM ${THEIRS}`, 'acme').catch((error) => error.clickhouseCode),
    ])
    const [own, theirs] = [[{ text: 'a click' }], [{ text: SECRET }]]
    for (const it of await Promise.all(all)) expect(it).toEqual([own, theirs, theirs, [{ one: '1' }], 497])
    for (const as of TENANTS.filter((it) => it !== 'globex'))
      await expect(rows(`SELECT text FROM ${THEIRS}`, as)).rejects.toMatchObject({ clickhouseCode: 497 })
    await expect(rows('SELECT 1', 'nobody')).rejects.toThrow('"nobody" is not among the tenants')
  })

  it.each([
    ...['numbers(1)', 'numbers_mt(1)', 'primes(1)', 'generateSeries(1, 1)', "generateRandom('a UInt8')"],
    ...["values('a UInt8', 1)", "null('a UInt8')", 'view(SELECT text FROM clicks)'],
  ])('lets a tenant call %s', async (call) => {
    expect((await rows(`SELECT * FROM ${call} LIMIT 1`, 'acme')).length).toBe(call.startsWith('null') ? 0 : 1)
  })

  it(`reads SQL as it was looked at, ${SQL_RUNS} times`, async () => {
    const there = surroundingsOf((await rows(SURROUNDINGS_SQL)) as { kind: string; name: string }[])
    const { accepted, ran } = await holdWordsTo(async (sql) => JSON.stringify(await rows(sql)), there)
    expect(accepted).toBeGreaterThan(SQL_RUNS / 20)
    expect(ran).toBeGreaterThan(SQL_RUNS / 50)
  }, 600_000)
})
