import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTenants, type Tenants } from './tenants.js'

const THEIRS = 's_globex__default.secrets'

/** What an administrator of one tenant might save to reach more than the tenant's own. */
const REACHING = [
  `SELECT text FROM ${THEIRS}`,
  'SELECT text FROM s_globex__default . secrets',
  'SELECT text FROM `s_globex__default`.`secrets`',
  'SELECT text FROM "s_globex__default"/**/./**/secrets',
  'SELECT text FROM "s_glob\\x65x__default".secrets',
  `SELECT (SELECT text FROM ${THEIRS}) AS text`,
  `SELECT text FROM clicks WHERE text IN ${THEIRS}`,
  `SELECT in('THE SECRET', ${THEIRS})`,
  `SELECT text FROM clicks, ${THEIRS}`,
  `SELECT text FROM clicks UNION ALL SELECT text FROM ${THEIRS}`,
  `WITH x AS (SELECT * FROM ${THEIRS}) SELECT * FROM x`,
  'SELECT * FROM s_nobody__default.secrets',
  // Databases that are not there yet: an old server looks for them when the query runs.
  'SELECT text FROM later.t',
  'SELECT text FROM clicks, later.t',
  'SELECT text FROM clicks AS where, later.t',
  'SELECT text FROM clicks AS c FINAL SAMPLE 1, (SELECT 1) AS d, `later`.t AS e',
  'SELECT c.text FROM clicks AS c JOIN (SELECT 1 AS id) AS d ON c.id = d.id, later.t',
  'SELECT text FROM clicks CROSS JOIN later.t',
  'SELECT text FROM clicks AS array JOIN later.t USING text',
  'SELECT text FROM clicks WHERE text IN later.t',
  'SELECT text FROM clicks WHERE text GLOBAL NOT IN later /* */ . t',
  'SELECT text FROM clicks WHERE text IN (later.t)',
  'SELECT text FROM clicks WHERE text in (((`later`."t")))',
  'SELECT text FROM clicks WHERE text IN (later.t AS t)',
  'SELECT text FROM clicks WHERE text IN (SELECT text FROM later.t)',
  'SELECT text FROM clicks WHERE text IN (SELECT text FROM clicks WHERE id IN (SELECT id FROM "later"."t"))',
  'SELECT arrayMap(x -> x IN later.t, [text]) FROM clicks',
  'SELECT in(text, later.t) FROM clicks',
  'SELECT text, notIn(text, later.t) FROM clicks',
  'SELECT NOT globalIn(text, (later.t)) FROM clicks',
  'SELECT 1 + `in`(text, later.t) FROM clicks',
  'SELECT text FROM clicks WHERE NOT in(text, later.t)',
  'SELECT text FROM clicks WHERE id = 1 AND in(text, later.t)',
  'SELECT is DISTINCT FROM later.t',
  'SELECT substring(text, 1) AS extract FROM later.t',
  'SELECT view(FROM later.t SELECT text)',
  'SELECT extract(FROM later.t SELECT text)',
  'SELECT extract(SELECT text FROM later.t)',
  'SELECT extract(WITH 1 AS a FROM later.t SELECT text)',
  `SELECT $$'$$, text FROM ${THEIRS} WHERE text != $$'$$`,
  `SELECT \u2018', text FROM ${THEIRS} WHERE text != \u2018'`,
  `SELECT * FROM (EXPLAIN SELECT * FROM clicks)`,
  'SELECT name FROM system.tables',
  'SELECT name FROM system /* */ .tables',
  'SELECT table_name FROM information_schema.tables',
  'SELECT * FROM Default.flights',
  "SELECT * FROM merge('s_globex__default', '.*')",
  "SELECT * FROM `merge`('s_globex__default', '.*')",
  "SELECT * FROM loop('s_globex__default', 'secrets') LIMIT 1",
  "SELECT * FROM view(SELECT * FROM mergeTreeIndex('s_globex__default', 'secrets'))",
  "SELECT * FROM remote('127.0.0.1', 's_globex__default', 'secrets')",
  "SELECT * FROM cluster('default', 's_globex__default', 'secrets')",
  "SELECT * FROM file('/etc/passwd', LineAsString)",
  "SELECT * FROM FILE('/etc/passwd', LineAsString)",
  "SELECT file('/etc/passwd') AS text",
  'SELECT * APPLY(file) FROM (SELECT text FROM clicks)',
  'SELECT * APPLY `FILE` FROM (SELECT text FROM clicks)',
  "SELECT arrayMap(file, ['/etc/passwd'])",
  "SELECT arrayMap(x -> file(x), ['/etc/passwd'])",
  "SELECT * FROM url('http://169.254.169.254/latest/meta-data', LineAsString)",
  "SELECT * FROM s3('http://169.254.169.254/a', 'LineAsString')",
  "SELECT * FROM executable('x', 'TSV', 'a String')",
  "SELECT * FROM mysql('127.0.0.1:3306', 'a', 'b', 'c', 'd')",
  "SELECT hasColumnInTable('s_globex__default', 'secrets', 'text')",
  "SELECT joinGet('s_globex__default.secrets', 'text', 1)",
  "SELECT dictGet('s_globex__default.secrets', 'text', 1)",
  "SELECT getSetting('log_comment')",
  "SELECT catboostEvaluate('/etc/passwd', 1)",
  "SELECT aiGenerate('x')",
  "SELECT 1 SETTINGS log_comment = 'q1'",
  'SELECT 1 SETTINGS max_execution_time = 0, readonly = 0',
  "SELECT 1 INTO OUTFILE '/tmp/sluice-out'",
  'SELECT 1 FORMAT Null',
  'SELECT 1; SELECT 2',
  'SELECT 1 \\G',
  'INSERT INTO clicks SELECT * FROM clicks',
  'DROP TABLE clicks',
  `SELECT 1) UNION ALL (SELECT text FROM ${THEIRS}`,
  // Comments that engines end elsewhere, or do not know: what is behind them is SQL to one reader, and a text to another.
  `SELECT text AS x /* /* */ || '*/ FROM ${THEIRS} -- '`,
  `SELECT text AS x /* /*/ || '*/ FROM ${THEIRS} -- '`,
  'SELECT line AS x /* /* */ || \'*/ FROM file("/etc/passwd", LineAsString) LIMIT 1 -- \'',
  "SELECT 1 AS x /* /* */ || '*/, substring(file(concat(char(47),char(101,116,99))), 1, 40) AS y -- '",
  `SELECT text AS x // '\n FROM ${THEIRS} -- '`,
  "SELECT 1 AS x // '\n, (SELECT count() FROM url('http://127.0.0.1:1/', LineAsString)) AS y -- '",
  `SELECT text AS x #'\n FROM ${THEIRS} -- '`,
  `SELECT text AS x # '\n FROM ${THEIRS} -- '`,
  `SELECT text AS x #! '\n FROM ${THEIRS} -- '`,
  `SELECT text AS x \u2212\u2212 '\n FROM ${THEIRS} -- '`,
  `SELECT text AS x $a$ ' $a$ FROM ${THEIRS} -- '`,
  `SELECT text AS x, \u201c" FROM ${THEIRS} -- "`,
  `SELECT text AS x\u00a0FROM clicks`,
  `\ufeffSELECT text AS x FROM clicks`,
  `SELECT text AS x\u0000 FROM ${THEIRS}`,
  `SELECT text AS x FROM clicks /*`,
  `SELECT 'a\\' AS x, ' FROM ${THEIRS} -- '`,
  `SELECT x'27' AS x FROM clicks`,
  'SELECT 1 AS "a""b"',
  'SELECT 1 AS `a``b`',
  'SELECT 1 AS "a\'b"',
  'SELECT 1 AS "{a:String}"',
  "SELECT '\\x4' AS x",
  'SELECT 1_000 AS x',
  'SELECT 1e AS x',
  'SELECT @@version AS x',
  'SELECT defaultRoles() AS x',
  'SELECT 1 FORMAT `Null`',
  'SELECT * FROM zeros(1)',
  "SELECT * FROM format(JSONEachRow, '{}')",
  'SELECT {a:/**/String}',
  'SELECT {a:Identifier} FROM clicks',
  'SELECT text FROM {t:Identifier}',
  "SELECT {'k': 1}",
  // Where an old server puts an alias's expression in its place, and takes that for a table when the query runs.
  'WITH later.t AS q SELECT 7 IN q AS seven FROM (SELECT 1 AS id, id AS `later.t`)',
  'WITH later.t AS q SELECT number FROM (SELECT number, number AS `later.t` FROM numbers(9)) WHERE number IN q',
  'WITH (later.t) AS `q` SELECT 7 NOT IN ((q)) AS x FROM (SELECT 1 AS id, id AS `later.t`)',
  'SELECT later.t q, 7 IN (q) AS x FROM (SELECT 1 AS id, id AS `later.t`)',
  'WITH later.t AS p, p AS q SELECT 7 GLOBAL IN q AS x FROM (SELECT 1 AS id, id AS `later.t`)',
  'WITH (later.t AS p) AS q SELECT 7 IN q AS x FROM (SELECT 1 AS id, id AS `later.t`)',
  'WITH ((later.t) AS p) AS q SELECT 7 IN (q AS w) AS x FROM (SELECT 1 AS id, id AS `later.t`)',
  'WITH later.t AS end, end AS q SELECT 7 IN q AS x FROM (SELECT 1 AS id, id AS `later.t`)',
  'WITH later.t AS top, top AS q SELECT 7 IN q AS x FROM (SELECT 1 AS id, id AS `later.t`)',
  'WITH later.t AS as, as AS q SELECT 7 IN q AS x FROM (SELECT 1 AS id, id AS `later.t`)',
  'WITH later.t AS select, (select) AS q SELECT 7 IN q AS x FROM (SELECT 1 AS id, id AS `later.t`)',
  // Words that are columns, behind a dot, begin and end nothing.
  'SELECT 1 FROM clicks AS a JOIN clicks AS c ON a.where = c.id, later.t',
  'SELECT 1 FROM clicks AS a JOIN clicks AS c ON a.id = c.order AND 1, later.t',
  'SELECT 1 FROM clicks AS a ARRAY JOIN a.array JOIN later.t USING id',
  'SELECT * REPLACE in(id, later.t) AS id FROM clicks',
  'SELECT TOP 1 in(id, later.t) FROM clicks',
  'SELECT TOP (1) in(id, later.t) FROM clicks',
  'SELECT TOP 1 WITH TIES NOT in(id, later.t) FROM clicks ORDER BY id',
  'SELECT DISTINCT ON (id) in(id, later.t) FROM clicks',
  'SELECT * REPLACE STRICT in(id, later.t) AS id FROM clicks',
  'WITH RECURSIVE in(1, later.t) AS x SELECT x FROM clicks',
  // And so are those where a value is to begin.
  'SELECT 1 FROM clicks AS a JOIN clicks AS c ON where = c.id, later.t',
  'SELECT 1 FROM clicks AS a JOIN clicks AS c ON a.id = order AND 1, later.t',
  'SELECT 1 FROM clicks ARRAY JOIN array JOIN later.t USING id',
]

/** What one's own data needs. */
const OWN = [
  'SELECT text AS airline, id AS dictionary, arrayMap(upper, [airline]) AS names FROM clicks',
  'SELECT c.text AS text FROM clicks AS c',
  'SELECT clicks.text, clicks.* FROM clicks',
  "SELECT text FROM clicks WHERE id IN (1, 2) AND text NOT IN ('a.b', 'system.tables', 'it''s; SETTINGS') -- system.tables",
  'SELECT count() AS n FROM clicks JOIN (SELECT id FROM clicks) AS own USING id',
  'WITH x AS (SELECT * FROM clicks) SELECT x.id, quantile(0.5)(x.id) OVER () FROM x WHERE x.id IN (SELECT id FROM clicks)',
  // Columns with their table, wherever no table can stand.
  "SELECT EXTRACT(YEAR FROM c.at) AS y, trim(BOTH 'a' FROM c.text) AS t FROM (SELECT text, now() AS at FROM clicks) AS c",
  'SELECT c.text FROM clicks AS c WHERE c.id IN (c.id, 2) AND c.id NOT IN (SELECT d.id + 1 FROM clicks AS d GROUP BY d.text, d.id)',
  'SELECT c.id, t FROM (SELECT id, [1] AS tags FROM clicks) AS c ARRAY JOIN c.tags AS t, c.tags AS u ORDER BY c.id, c.id',
  'SELECT c.id IS DISTINCT FROM (c.id) AS x, position(c.text, c.text) FROM clicks AS c JOIN clicks AS d ON c.id = d.id GROUP BY c.id, c.text',
  'SELECT number, toStartOfHour(now()) AS hour FROM numbers(3) ORDER BY number LIMIT 1 BY number',
  'SELECT `settings`.id AS `settings` FROM clicks AS `settings`',
  // Behind IN, what is no other name for a name.
  'WITH own AS (SELECT id FROM clicks) SELECT id IN own AS x, id IN (SELECT id FROM clicks AS mine) AS y FROM clicks',
  'WITH RECURSIVE own AS (SELECT id FROM clicks) SELECT id IN own AS x FROM clicks',
  'WITH [1, 2] AS own SELECT id IN own AS x FROM clicks',
  'WITH (1, 2) AS own SELECT id IN (own) AS x FROM clicks',
  'SELECT id, text FROM clicks UNION ALL SELECT c.id, c.text FROM clicks AS c',
  'WITH (SELECT groupArray(id) FROM clicks) AS own SELECT id IN own AS x FROM clicks',
  // As it is written, with everything in it that is written anew.
  `SELECT /* '*/ text -- ' it''s\n AS x, 'a''b\\'c\\\\' AS "d e", '\t{"--/*' AS f,\r\n\t.5 + 1. + 0xff - -1 AS g FROM "clicks"`,
  "SELECT [1, 2][1] AS a, (1, 'b').1 AS b, 1.5e3 AS c, map('k', 1) AS d, id = 1 ? 1 : 2 AS e FROM clicks",
]

describe('a pipe that the administrator of a tenant saves', () => {
  let tenants: Tenants
  beforeAll(async () => {
    tenants = await startTenants({ readTimeoutMs: 5000 })
  })
  afterAll(() => tenants.close())

  it.each(REACHING)('reaches nothing but its data set: %s', async (sql) => {
    const { status, json } = await tenants.ask('PUT /v1/pipes/reach', 'acme', { sql })
    expect([status, json.type, json.errors.map((it: { parameter: string }) => it.parameter)]).toEqual([
      ...[400, 'urn:sluice:problem:bad-body', ['sql']],
    ])
    // By us: the engine is not asked what it would do with it.
    expect(json.detail).not.toContain('refused by the engine')
    expect((await tenants.ask('GET /v1/pipes/reach', 'acme')).status).toBe(404)
  })

  it.each(OWN)('reads its own: %s', async (sql) => {
    const { status, text } = await tenants.ask('PUT /v1/pipes/own', 'acme', { sql })
    expect([200, 201], text).toContain(status)
    expect((await tenants.ask('GET /v1/pipes/own', 'acme')).status).toBe(200)
  })

  it('means what it is written as', async () => {
    const sql = `SELECT /* ' */ 'a''b\\'c\\\\d%\\x41' AS "d e", '\t{"\`--/*é' AS f, (1, (2, 3)).2.1 + .5 AS g -- '\n, 1--1\n AS h`
    expect((await tenants.ask('PUT /v1/pipes/means', 'acme', { sql })).status).toBe(201)
    const { data } = (await tenants.ask('GET /v1/pipes/means', 'acme')).json
    expect(data).toEqual([{ 'd e': `a'b'c\\d%A`, f: '\t{"`--/*é', g: 2.5, h: 1 }])
  })

  it('names tables of its own tenant alone', async () => {
    const { status, json } = await tenants.ask('PUT /v1/pipes/theirs', 'acme', { sql: 'SELECT text FROM secrets' })
    expect([status, json.detail]).toEqual([400, expect.stringContaining('refused by the engine')])
    expect(json.detail).not.toContain('globex')
    expect((await tenants.ask('GET /v1/pipes/own', 'globex')).status).toBe(404)
  })

  it('is refused in a data set that has no data source yet', async () => {
    const asked = await tenants.ask('PUT /v1/pipes/own', 'acme', { sql: 'SELECT 1' }, { 'x-dataset-id': 'empty' })
    const remedy = 'has no data source yet; define one first, with PUT /v1/datasources/{name}.'
    expect([asked.status, asked.json.detail]).toEqual([400, `sql is of data set "empty", which ${remedy}`])
  })

  it('is told what is not there by its name, and not that the data set is empty', async () => {
    for (const [sql, words] of [
      ['SELECT nope.text FROM clicks', 'nope.text'],
      ['SELECT text FROM nope', "'nope'"],
      ['SELECT text FROM nope.clicks', 'names the database nope;'],
      ['SELECT text FROM clicks WHERE text IN nope', 'nope'],
    ]) {
      const { status, json } = await tenants.ask('PUT /v1/pipes/nope', 'acme', { sql })
      expect([status, json.detail]).toEqual([400, expect.stringContaining(words ?? '')])
      expect(json.detail).not.toMatch(/\.\.$/)
      expect(json.detail).not.toContain('has no data source yet')
    }
  })

  it('and what others have is as it was', async () => {
    expect(await tenants.everything()).toEqual([
      { table: 's_acme__default.clicks', rows: '1' },
      { table: 's_globex__default.secrets', rows: '1' },
    ])
  })
})
