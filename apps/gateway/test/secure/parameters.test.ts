import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTenants, type Tenants } from './tenants.js'

/** Texts that end a literal, a name, a comment or a statement somewhere. */
const HOSTILE = [
  ...[
    "'; DROP TABLE clicks; --",
    "' OR '1'='1",
    "\\'; DROP TABLE clicks; --",
    '\\',
    "'",
    "''",
    '"',
    '`',
    '--',
    '/*',
    '*/',
    '#',
  ],
  ...["') UNION ALL SELECT text FROM s_globex__default.secrets --", '{text:String}', '$$', '\\x27', '\\u0027'],
  ...[
    'a\tb',
    'a\nb',
    'a\r\nb',
    '\u0000',
    '\\0',
    '\\N',
    'NULL',
    '\u2019',
    '\uff07',
    'ʼ',
    '😀',
    '%27',
    '?',
    ';',
    '1); DROP TABLE clicks',
  ],
  "a', log_comment='q1",
]

describe('what a caller sends', () => {
  let tenants: Tenants
  let before: unknown
  beforeAll(async () => {
    tenants = await startTenants()
    const parameters = [
      { name: 'text', type: 'String', max_length: 200 },
      { name: 'day', type: 'Date', default: '2026-01-01' },
      { name: 'n', type: 'UInt32', default: '1', max: 9 },
    ]
    const sql = 'SELECT {text:String} AS text, {day:Date} AS day FROM numbers({n:UInt32}) LIMIT {n:UInt32}'
    expect((await tenants.ask('PUT /v1/pipes/echo', 'acme', { sql, parameters })).status).toBe(201)
    const found = {
      sql: 'SELECT text FROM clicks WHERE id = {id:UInt32}',
      parameters: [{ name: 'id', type: 'UInt32' }],
    }
    expect((await tenants.ask('PUT /v1/pipes/found', 'acme', found)).status).toBe(201)
    before = await tenants.everything()
  })
  afterAll(() => tenants.close())

  it.each(HOSTILE)('comes back as the data that it is: %j', async (text) => {
    const { status, json } = await tenants.ask(`GET /v1/pipes/echo?text=${encodeURIComponent(text)}`, 'reader')
    expect([status, json.data]).toEqual([200, [{ text, day: '2026-01-01' }]])
  })

  it.each(['day', 'n'])('is refused where it is no value of its type: %s', async (name) => {
    for (const text of [
      ...HOSTILE,
      "2026-01-01' OR '1'='1",
      '2026-02-30',
      '1; DROP TABLE clicks',
      '0x1',
      '1e0',
      '-1',
      '10',
      ' 1',
    ]) {
      const asked = `GET /v1/pipes/echo?text=a&${name}=${encodeURIComponent(text)}`
      const { status, json } = await tenants.ask(asked, 'reader')
      expect([text, status, json.errors?.[0].parameter]).toEqual([text, 400, name])
    }
  })

  it.each([
    ...['/v1/pipes/X', '/v1/datasources/X', '/v1/datasources/X/quarantine', '/v1/notices?data_source=X'],
    ...['/v1/datasources?limit=X', '/v1/datasources?cursor=X', '/v1/notices?cursor=X&limit=1', '/v1/status?a=X'],
  ])('is a name of nothing, and no page: %s', async (path) => {
    for (const text of HOSTILE) {
      const { status } = await tenants.ask(`GET ${path.replace('X', encodeURIComponent(text))}`, 'acme')
      expect([text, [400, 404].includes(status)]).toEqual([text, true])
    }
  })

  it('names no column, type, partition or order of a table', async () => {
    for (const text of HOSTILE) {
      const columns = [{ name: 'a', type: 'Date' }]
      for (const body of [
        { columns: [{ name: text, type: 'Date' }] },
        { columns: [{ name: 'a', type: text }] },
        { columns, order_by: [text] },
        { columns, partition: { column: text, by: 'day' } },
        { columns, partition: { column: 'a', by: text } },
      ])
        expect((await tenants.ask('PUT /v1/datasources/orders', 'acme', body)).status).toBe(400)
      const asked = await tenants.ask(`PUT /v1/datasources/${encodeURIComponent(text)}`, 'acme', { columns })
      expect([400, 404]).toContain(asked.status)
    }
  })

  it('is what was written, where it is in events', async () => {
    expect(await tenants.everything()).toEqual(before)
    const rows = HOSTILE.map((text, i) => ({ id: 100 + i, text }))
    const sent = await tenants.ask('POST /v1/datasources/clicks/events?wait=true', 'acme', rows)
    expect([sent.status, sent.json]).toEqual([200, { accepted: rows.length, quarantined: 0, state: 'written' }])
    for (const { id, text } of rows)
      expect((await tenants.ask(`GET /v1/pipes/found?id=${id}`, 'acme')).json.data).toEqual([{ text }])
    expect(await tenants.everything()).toEqual([
      { table: 's_acme__default.clicks', rows: String(1 + rows.length) },
      { table: 's_globex__default.secrets', rows: '1' },
    ])
  })
})
