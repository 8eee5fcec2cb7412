import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { TokenOptions } from '@sluice/gateway'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patient, type RunningGateway, run, until } from '../running-gateway.js'
import { operations } from './document.js'
import { rawRequest } from './raw-request.js'
import { operationOf, undescribed } from './undescribed.js'

const secretOf = (name: string) => `secret-of-${name}-0000001`
const token = (name: string, tenant: string, ...scopes: NonNullable<TokenOptions['scopes']>): TokenOptions => ({
  ...{ name, tenant, scopes },
  token: secretOf(name),
})
const tokens = [
  token('admin', 'acme', 'admin'),
  token('operator', 'acme', 'operator'),
  token('owner', 'acme', 'owner:clicks'),
  token('writer', 'acme', 'write:clicks', 'write:gone'),
  token('reader', 'acme', 'read:clicks', 'read:views'),
  token('nobody', 'acme'),
  token('stranger', 'globex', 'admin'),
  token('hoarder', 'initech', 'admin'),
  { ...token('poor', 'acme', 'admin', 'operator'), plan: 'poor' },
]

const COLUMNS = [
  { name: 'time', type: 'DateTime' },
  { name: 'user_id', type: 'UInt64' },
  { name: 'path', type: 'String' },
]
const PLAN = { flush_interval_ms: 50, requests_per_second: 10_000, burst: 10_000, rows_per_second: 100_000 }
const CLICKS = { columns: COLUMNS, partition: { column: 'time', by: 'day' }, order_by: ['user_id', 'time'], plan: PLAN }
const VIEWS = {
  sql: 'SELECT path, count() AS views, countDistinct(_block) AS blocks FROM clicks WHERE toDate(time) = {day:Date} GROUP BY path ORDER BY path',
  parameters: [{ name: 'day', type: 'Date' }],
}
const EVENT = { time: '2026-01-01T12:00:00Z', user_id: '42', path: '/pricing' }
const RETRIES = ['retry-after', 'ratelimit', 'ratelimit-policy']

interface Sent {
  readonly as?: string
  readonly body?: unknown
  readonly text?: string
  readonly type?: string
  readonly headers?: Record<string, string>
}

describe('the ingest API, held to spec/openapi.yaml over a real engine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-ingest-'))
  const seen = new Set<string>()
  let gateway: RunningGateway
  beforeAll(async () => {
    gateway = await run({
      ...{
        tokens,
        datasets: [],
        pipes: [{ name: 'given', description: 'For every tenant.', sql: 'SELECT 1 AS one', parameters: {} }],
        spoolDir: join(folder, 'spool'),
        breaker: patient,
        writeTimeoutMs: 3000,
        maxStreamsPerToken: 1,
        ...{ maxDataSources: 30, maxPipes: 30 },
      },
      plans: { default: { ratePerSecond: 1e5, burst: 1e5 }, poor: { ratePerSecond: 0.01, burst: 1 } },
    })
    expect((await ask('PUT /v1/datasources/clicks', { body: CLICKS })).status).toBe(201)
    expect((await ask('PUT /v1/pipes/views', { body: VIEWS })).status).toBe(201)
  })
  afterAll(async () => {
    await gateway.close()
    rmSync(folder, { recursive: true })
  })

  /** Asks, and holds the answer to the document. @param what `GET /v1/…` */
  async function ask(what: string, { as = 'admin', body, text, type, headers }: Sent = {}) {
    const [method = '', path = ''] = what.split(' ')
    const sent = text ?? (body === undefined ? null : JSON.stringify(body))
    const typed: Record<string, string> = sent === null ? {} : { 'content-type': type ?? 'application/json' }
    const response = await fetch(`${gateway.url}${path}`, {
      ...{ method, body: sent },
      headers: { ...(as !== '' && { authorization: `Bearer ${secretOf(as)}` }), ...typed, ...headers },
    })
    const isStream = response.headers.get('content-type') === 'text/event-stream'
    const copy = isStream ? response : response.clone()
    expect(await undescribed({ method, path }, copy), `${what} ${response.status}`).toEqual([])
    seen.add(`${operationOf({ method, path })?.operationId} ${response.status}`)
    const answer = isStream || response.status === 204 ? '' : await response.text()
    const isJson = /[/+]json$/.test(response.headers.get('content-type')?.split(';')[0] ?? '')
    const told = Object.fromEntries(RETRIES.map((name) => [name, response.headers.get(name)]))
    return {
      status: response.status,
      json: isJson && answer !== '' ? JSON.parse(answer) : undefined,
      text: answer,
      told,
    }
  }
  const send = (body: unknown, query = '', sent: Sent = {}) =>
    ask(`POST /v1/datasources/clicks/events${query}`, { as: 'writer', body, ...sent })
  const views = async (day: string) =>
    (await ask(`GET /v1/pipes/views?day=${day}`, { as: 'reader' })).json.data as Record<string, string>[]

  it('writes events, each row once, and tells of those that do not fit', async () => {
    const rows = [EVENT, { ...EVENT, user_id: 7, path: '/' }, { time: 'yesterday', user_id: -1, pth: '/' }]
    const text = rows.map((row) => JSON.stringify(row)).join('\n')
    const lines = { text: `${text}\n\n{"user_id":\n`, type: 'application/x-ndjson' }
    const answer = await send(undefined, '?wait=true', lines)
    expect([answer.status, answer.json]).toEqual([200, { accepted: 2, quarantined: 2, state: 'written' }])
    expect(await views('2026-01-01')).toEqual([
      { path: '/', views: '1', blocks: '1' },
      { path: '/pricing', views: '1', blocks: '1' },
    ])
    const { json } = await ask('GET /v1/datasources/clicks/quarantine?limit=1', { as: 'owner' })
    expect(json.rows).toMatchObject([{ row: '{"user_id":', errors: [{ parameter: 'row' }] }])
    const next = await ask(`GET /v1/datasources/clicks/quarantine?cursor=${json.next_cursor}`, { as: 'owner' })
    expect(next.json).toMatchObject({
      next_cursor: null,
      rows: [
        {
          row: JSON.stringify(rows[2]),
          errors: [
            { parameter: 'time', value: 'yesterday' },
            { parameter: 'user_id', value: '-1' },
            { parameter: 'pth', value: '/', message: 'is no column of clicks' },
          ],
        },
      ],
    })
    expect((await ask('GET /v1/datasources/clicks', { as: 'reader' })).json).toMatchObject({
      ...{ name: 'clicks', dataset: 'default', state: 'flowing', node: 'clickhouse-1', quarantined_rows: 2 },
      ...{ freshness: { lag_s: 0 }, backlog: { paused: false, rows: 0, bytes: 0, oldest_at: null } },
    })
    const { notices } = (await ask('GET /v1/notices?data_source=clicks', { as: 'reader' })).json
    expect(notices[0]).toMatchObject({ kind: 'quarantined', data_source: 'clicks', level: 'warning' })
  })

  it('takes an array, every type at its edges, exactly', async () => {
    const columns = ['Int8', 'Int64', 'UInt64', 'Float64', 'Date', 'DateTime', 'String'].map((type) => {
      return { name: `a_${type.toLowerCase()}`, type, nullable: type === 'String' }
    })
    await ask('PUT /v1/datasources/edges', { body: { columns, plan: PLAN } })
    const text = `[ {"a_int8":-128,"a_int64":-9223372036854775808,"a_uint64":18446744073709551615,"a_float64":1e-300,
      "a_date":"2149-06-06","a_datetime":"2026-01-01T01:00:00.9+02:00","a_string":"ü\\n\\"{[,]}\\u0000"} ,
      {"a_int8":1,"a_int8":2,"a_int64":"9007199254740993","a_string":null}, {} ]`
    const answer = await ask('POST /v1/datasources/edges/events?wait=true', { text })
    expect([answer.status, answer.json]).toEqual([200, { accepted: 3, quarantined: 0, state: 'written' }])
    const sql = 'SELECT * EXCEPT _block FROM edges ORDER BY a_int8'
    expect((await ask('PUT /v1/pipes/edges', { body: { sql } })).status).toBe(201)
    expect((await ask('GET /v1/pipes/edges')).json.data.map((row: object) => Object.values(row))).toEqual([
      [
        -128,
        '-9223372036854775808',
        '18446744073709551615',
        1e-300,
        '2149-06-06',
        '2025-12-31 23:00:00',
        'ü\n"{[,]}\0',
      ],
      [0, '0', '0', 0, '1970-01-01', '1970-01-01 00:00:00', null],
      [2, '9007199254740993', '0', 0, '1970-01-01', '1970-01-01 00:00:00', null],
    ])
  })

  it('takes a batch with a key once, and knows another body from it', async () => {
    const day = '2026-02-01'
    const batch = [{ ...EVENT, time: `${day}T00:00:00Z` }]
    const headers = { 'idempotency-key': 'batch "1"' }
    // So many rows that the first are still being checked, in turn with other requests, when the second have come.
    const many = Array<unknown>(20_000).fill({ ...EVENT, time: '2026-02-02T00:00:00Z' })
    const large = { headers: { 'idempotency-key': 'many' } }
    const both = await Promise.all([send(many, '', large), send(many, '', large)])
    expect(both.map(({ status }) => status).sort()).toEqual([202, 409])
    expect((await send(many, '?wait=true', large)).json).toMatchObject({ accepted: 20_000, state: 'written' })
    expect(await views('2026-02-02')).toMatchObject([{ views: '20000' }])
    expect((await send(batch, '', { headers })).status).toBe(202)
    expect((await send(batch, '?wait=true', { headers })).json).toEqual({
      accepted: 1,
      quarantined: 0,
      state: 'written',
    })
    expect((await send(batch, '', { headers })).status).toBe(202)
    expect((await send([EVENT], '', { headers })).json.type).toBe('urn:sluice:problem:key-used')
    expect(await views(day)).toEqual([{ path: '/pricing', views: '1', blocks: '1' }])
    expect((await send(batch, '', { headers: { 'idempotency-key': 'x'.repeat(256) } })).status).toBe(400)
  })

  it('lets owners handle a backlog: pause, look, export, drop, and only what is paused', async () => {
    const of = '/v1/datasources/clicks/backlog'
    const as = 'owner'
    expect((await ask(`POST ${of}/drop`, { as })).json.type).toBe('urn:sluice:problem:backlog-not-paused')
    expect((await ask(`POST ${of}/pause`, { as })).json).toMatchObject({ paused: true, rows: 0 })
    const day = '2026-03-01'
    const row = { ...EVENT, time: `${day}T00:00:00Z` }
    expect((await send([row, row])).json).toEqual({ accepted: 2, quarantined: 0, state: 'delayed', until: null })
    const late = await send([row], '?wait=true', { headers: { 'idempotency-key': 'late' } })
    expect(late.json).toMatchObject({ status: 504, type: 'urn:sluice:problem:write-pending' })
    expect((await ask(`GET ${of}`, { as })).json).toMatchObject({
      paused: true,
      rows: 3,
      oldest_at: expect.any(String),
    })
    const { text } = await ask(`POST ${of}/export`, { as })
    expect(text).toBe('{"time":"2026-03-01T00:00:00Z","user_id":42,"path":"/pricing"}\n'.repeat(3))
    expect((await ask(`POST ${of}/drop`, { as })).json).toMatchObject({ dropped_rows: 3 })
    expect(await send(undefined, '', { text, type: 'application/x-ndjson' })).toMatchObject({ status: 202 }) // put back
    // While it is paused: once it is resumed, some of it may be written before that is answered.
    expect((await ask(`GET ${of}`, { as })).json).toMatchObject({ paused: true, rows: 3 })
    expect((await ask(`POST ${of}/resume`, { as })).json).toMatchObject({ paused: false })
    await until('it is written', async () => (await ask(`GET ${of}`, { as })).json.rows === 0)
    expect(await views(day)).toMatchObject([{ views: '3' }])
    const { notices } = (await ask('GET /v1/notices?limit=1', { as })).json
    expect(notices).toMatchObject([{ kind: 'backlog-dropped', data_source: 'clicks' }])
    expect(gateway.lastLine((it) => it.message === 'backlog dropped')?.fields).toMatchObject({
      token: 'owner',
      dropped_rows: 3,
    })
  })

  it('routes to a node that answers, and lifts limits', async () => {
    const route = { as: 'owner', body: { node: 'clickhouse-1' } }
    const previous_node = 'clickhouse-1'
    expect((await ask('PUT /v1/datasources/clicks/route', route)).json).toEqual({
      ...{ data_source: 'clicks', node: 'clickhouse-1', previous_node },
    })
    const back = await ask('PUT /v1/datasources/clicks/route', { as: 'owner', body: { node: null } })
    expect([back.status, back.json.node]).toEqual([200, 'clickhouse-1'])
    const unknown = await ask('PUT /v1/datasources/clicks/route', { as: 'owner', body: { node: 'nowhere' } })
    expect(unknown.json.errors).toMatchObject([{ parameter: 'node', value: 'nowhere' }])
    expect((await ask('DELETE /v1/datasources/clicks/limit', { as: 'owner' })).status).toBe(204)
  })

  it('adds columns, and changes nothing else', async () => {
    const put = (body: unknown) => ask('PUT /v1/datasources/clicks', { body })
    const more = [...COLUMNS, { name: 'agent', type: 'String', nullable: true }]
    expect((await put({ ...CLICKS, columns: more })).json.columns).toHaveLength(4)
    expect((await send([{ ...EVENT, time: '2026-04-01T00:00:00Z', agent: 'x' }], '?wait=true')).status).toBe(200)
    const conflicts = [
      [{ ...CLICKS, columns: COLUMNS }, 'Column "agent" is there and cannot be removed.'],
      [
        { ...CLICKS, columns: more.map((it) => ({ ...it, type: 'String' })), partition: undefined },
        'Column "time" is DateTime',
      ],
      [{ ...CLICKS, columns: more, partition: { column: 'time', by: 'year' } }, 'The partition is'],
      [{ ...CLICKS, columns: more, order_by: ['time'] }, 'The order is'],
    ] as const
    for (const [body, detail] of conflicts) {
      const { json } = await put(body)
      expect([json.status, json.detail.startsWith(detail)]).toEqual([409, true])
    }
    const { json } = await put({ columns: [{ name: 'A', type: 'Int' }, ...COLUMNS], order_by: ['x'], colour: 1 })
    expect(json.errors.map((it: { parameter: string }) => it.parameter)).toEqual([
      ...['columns.0.name', 'columns.0.type', 'body'],
    ])
    const odd = await put({ ...CLICKS, partition: { column: 'nope', by: 'day' }, order_by: ['nope'] })
    expect(odd.json.detail).toBe(
      'order_by.0 "nope" is no column; there are time, user_id, path. ' +
        'partition.column "nope" is no column of type Date or DateTime without null.',
    )
    for (const what of ['datasources', 'pipes']) {
      const long = await ask(`PUT /v1/${what}/${'a'.repeat(70)}`, { body: {} })
      expect(long.json.detail).toBe(
        `name "${'a'.repeat(64)}…" is not a name: 1 to 64 of a-z, 0-9 and _, a letter first.`,
      )
    }
  })

  it('checks the query of a pipe before it is saved', async () => {
    const faulty = [
      ['SELECT nope FROM clicks', 'is refused by the engine'],
      ["SELECT 1) INTO OUTFILE '/tmp/x' --", 'has a ")" without its "("'],
      ['SELECT 1; DROP TABLE clicks', 'has a ";"'],
      ["SELECT $$'$$ ) INTO OUTFILE '/tmp/x' --'", 'has "$" outside of quotes'],
      ["SELECT ‘'’ ) INTO OUTFILE '/tmp/x' --'", 'has "‘" outside of quotes'],
      ["SELECT 'a', 1 /* ' */ ) FROM (", 'has a ")" without its "("'],
      ["SELECT 'a\\\\' , 1) --'", 'has a ")" without its "("'],
      ['DROP TABLE clicks', 'is not a SELECT'],
      ['SELECT 1 FORMAT CSV', 'has a FORMAT'],
      ['SELECT {day:Date}', 'has {day:Date}, but day is no parameter; add it to parameters.'],
      ['', 'sql "" is empty; write a SELECT.'],
    ]
    for (const [sql, message = ''] of faulty) {
      const { status, json } = await ask('PUT /v1/pipes/faulty', { body: { sql } })
      expect([status, json.detail]).toEqual([400, expect.stringContaining(message)])
    }
    // Each fault once, with its value once.
    const empty = { sql: '', parameters: [{ name: 'a', type: 'Int8', default: 5 }] }
    expect((await ask('PUT /v1/pipes/faulty', { body: empty })).json.detail).toBe(
      'sql "" is empty; write a SELECT. parameters.0.default "5" must be text, as callers send it: "5".',
    )
    const bound = { sql: 'SELECT 1', parameters: [{ name: 'a', type: 'Int32', max: -5e-324 }] }
    expect(await ask('PUT /v1/pipes/faulty', { body: bound })).toMatchObject({
      status: 400,
      json: { detail: 'parameters.0.max "-5e-324" must be a whole number from -2147483648 to 2147483647.' },
    })
    expect((await ask('PUT /v1/pipes/views', { body: VIEWS })).status).toBe(200)
    const { pipes } = (await ask('GET /v1/pipes', { as: 'reader' })).json
    expect(pipes.map((it: { name: string }) => it.name)).toEqual(['views'])
  })

  it('deletes pipes that were saved, and shows those again in whose place they were', async () => {
    const [sql, given] = ['SELECT 2 AS two', 'GET /v1/pipes/given']
    expect((await ask('PUT /v1/pipes/given', { body: { sql } })).status).toBe(201)
    expect((await ask(given)).json.data).toEqual([{ two: 2 }])
    expect((await ask('DELETE /v1/pipes/given', { as: 'owner' })).status).toBe(403)
    expect((await ask('DELETE /v1/pipes/given', { headers: { 'x-dataset-id': 'other' } })).status).toBe(409)
    expect((await ask('DELETE /v1/pipes/given')).status).toBe(204)
    expect((await ask(given)).json.data).toEqual([{ one: 1 }])
    const refused = (await ask('DELETE /v1/pipes/given')).json
    expect([refused.type, refused.detail]).toEqual([
      'urn:sluice:problem:pipe-not-saved',
      'The gateway was started with "given", which every tenant has. Only what was saved can be deleted.',
    ])
    expect((await ask('DELETE /v1/pipes/nope')).json.type).toBe('urn:sluice:problem:unknown-pipe')
  })

  it('deletes a data source of which nothing waits, and no other', async () => {
    const of = '/v1/datasources/brief'
    await ask(`PUT ${of}`, { body: { columns: COLUMNS, plan: PLAN } })
    await ask(`POST ${of}/backlog/pause`)
    expect((await ask(`POST ${of}/events`, { body: [EVENT] })).status).toBe(202)
    const refused = (await ask(`DELETE ${of}`)).json
    expect([refused.type, refused.detail]).toEqual([
      'urn:sluice:problem:backlog-not-empty',
      'Events of "brief" wait to be written. Let them be written, or drop them; then delete it.',
    ])
    expect((await ask(`POST ${of}/events`, { body: [EVENT] })).status).toBe(202) // it takes them as before
    expect((await ask(`POST ${of}/backlog/drop`)).json).toMatchObject({ dropped_rows: 2 })
    expect((await ask(`DELETE ${of}`, { as: 'owner' })).status).toBe(403)
    // As soon as the answer says that they are written, nothing waits.
    await ask(`POST ${of}/backlog/resume`)
    expect((await ask(`POST ${of}/events?wait=true`, { body: [EVENT] })).status).toBe(200)
    expect((await ask(`DELETE ${of}`)).status).toBe(204)
    expect((await ask(`GET ${of}`)).status).toBe(404)
  })

  it('refuses what is above a plan, and says when to come back', async () => {
    const plan = { ...PLAN, requests_per_second: 0.5, burst: 2, rows_per_second: 1 }
    await ask('PUT /v1/datasources/slow', { body: { columns: COLUMNS, plan } })
    const rows = Array.from({ length: 1001 }, () => EVENT)
    const post = (body: unknown) => ask('POST /v1/datasources/slow/events', { body })
    expect((await post(rows)).json.errors).toMatchObject([{ message: expect.stringContaining('more than 1000 rows') }])
    expect((await post(rows.slice(0, 1000))).status).toBe(202)
    const spent = await post([EVENT])
    expect([spent.status, spent.told['retry-after']]).toEqual([429, '2'])
    expect(spent.json.detail).toContain('allows 0.5 requests a second of each token and 2 at once. Come back in 2 s.')
    await ask('PUT /v1/datasources/slow', {
      body: { columns: COLUMNS, plan: { ...PLAN, backlog_max_bytes: 1_048_576 } },
    })
    await ask('POST /v1/datasources/slow/backlog/pause')
    const large = [{ ...EVENT, path: 'x'.repeat(600_000) }]
    expect((await post(large)).status).toBe(202)
    const full = await post(large)
    expect([full.status, full.json.type, full.told['retry-after']]).toEqual([
      429,
      'urn:sluice:problem:backlog-full',
      '60',
    ])
  })

  it.each([
    [400, { text: '', type: 'application/json' }],
    [400, { text: '[', type: 'application/json' }],
    [400, { text: '[{"path":"a"} {}]', type: 'application/json' }],
    [400, { text: '[]', type: 'application/json' }],
    [400, { text: '{"path":"a"}', type: 'application/json' }],
    [400, { text: '\n', type: 'application/x-ndjson' }],
    [415, { text: 'a,b', type: 'text/csv' }],
    [415, { text: '[{}]', headers: { 'content-encoding': 'gzip' } }],
  ])('%i for the body %j', async (status, sent) => {
    expect((await ask('POST /v1/datasources/clicks/events', sent)).status).toBe(status)
  })

  it.each([
    [411, 'Transfer-Encoding: chunked', 'POST /v1/datasources/clicks/events'],
    [413, `Content-Length: ${10 * 1024 * 1024 + 1}`, 'POST /v1/datasources/clicks/events'],
    [411, 'Transfer-Encoding: chunked', 'PUT /v1/datasources/clicks'],
    [413, 'Content-Length: 65537', 'PUT /v1/datasources/clicks'],
    [411, 'Transfer-Encoding: chunked', 'PUT /v1/datasources/clicks/route'],
    [413, 'Content-Length: 65537', 'PUT /v1/datasources/clicks/route'],
    [411, 'Transfer-Encoding: chunked', 'PUT /v1/pipes/views'],
    [413, 'Content-Length: 65537', 'PUT /v1/pipes/views'],
  ])('%i for %s to %s, unread', async (status, header, what) => {
    const [method = '', path = ''] = what.split(' ')
    const response = await rawRequest(gateway.port, [`${what} HTTP/1.1`, header])
    expect(response.status).toBe(status)
    expect(await undescribed({ method, path }, response)).toEqual([])
    seen.add(`${operationOf({ method, path })?.operationId} ${status}`)
  })

  it('says how large a body was, and what may be done', async () => {
    const detailOf = async (what: string, bytes: number) => {
      const response = await rawRequest(gateway.port, [`${what} HTTP/1.1`, `Content-Length: ${bytes}`])
      return (await response.json()).detail
    }
    expect(await detailOf('POST /v1/datasources/clicks/events', 10_485_761)).toBe(
      'A body may have at most 10485760 bytes here; this one has 10485761. Send its rows in several requests.',
    )
    expect(await detailOf('PUT /v1/pipes/views', 65_537)).toBe(
      'A body may have at most 65536 bytes here; this one has 65537.',
    )
  })

  it('says of a body that is compressed without saying so what it is', async () => {
    const response = await fetch(`${gateway.url}/v1/datasources/clicks/events`, {
      ...{ method: 'POST', body: gzipSync('{}') },
      headers: { authorization: `Bearer ${secretOf('writer')}`, 'content-type': 'application/x-ndjson' },
    })
    expect([response.status, (await response.json()).detail]).toEqual([
      ...[400, 'body is not UTF-8, but compressed; send it as it is.'],
    ])
  })

  it('415 and 400 for bodies of definitions', async () => {
    for (const path of ['/v1/datasources/clicks', '/v1/pipes/views', '/v1/datasources/clicks/route']) {
      expect((await ask(`PUT ${path}`, { text: '{}', type: 'text/plain' })).status).toBe(415)
      expect((await ask(`PUT ${path}`, { text: '{' })).json.errors).toEqual([
        { parameter: 'body', message: 'is not JSON' },
      ])
    }
    expect((await ask('PUT /v1/datasources/No-Name', { body: CLICKS })).status).toBe(400)
    expect((await ask('PUT /v1/pipes/No-Name', { body: VIEWS })).status).toBe(400)
  })

  it('keeps what is posted in pages, and streams notices from where they were left', async () => {
    const { json } = await ask('GET /v1/datasources?limit=1')
    expect(json.data_sources.map((it: { name: string }) => it.name)).toEqual(['clicks'])
    const next = await ask(`GET /v1/datasources?cursor=${json.next_cursor}`)
    expect(next.json.data_sources.map((it: { name: string }) => it.name)).toEqual(['edges', 'slow'])
    expect((await ask('GET /v1/notices/stream', { headers: { 'last-event-id': 'n-00000000' } })).status).toBe(200)
    expect((await ask('GET /v1/notices/stream', { headers: { 'last-event-id': 'x' } })).status).toBe(400)
    expect((await ask('GET /v1/status/stream')).status).toBe(200)
    expect((await ask('GET /v1/status', { as: 'reader' })).json.data_sources).toEqual([
      { name: 'clicks', dataset: 'default', state: 'flowing', state_since: expect.any(String) },
    ])
    expect((await ask('GET /v1/status', { headers: { 'x-dataset-id': 'other' } })).json.data_sources).toEqual([])
  })

  it('counts for Prometheus', async () => {
    const { text } = await ask('GET /metrics', { as: 'operator' })
    expect(text).toMatch(/^sluice_requests_total\{operation="sendEvents",status="202"\} \d+$/m)
    expect(text).toMatch(/^sluice_events_accepted_total\{tenant="acme",dataset="default",data_source="clicks"\} \d+$/m)
    expect(text).toContain('sluice_node_up{node="clickhouse-1"} 1')
    expect((await ask('GET /readyz', { as: '' })).json).toEqual({ status: 'ready' })
    // They are of all tenants, so who may everything within one may not read them.
    for (const as of ['admin', 'stranger'])
      expect([(await ask('GET /metrics', { as })).status, (await ask('GET /metrics', { as })).json.detail]).toEqual([
        ...[403, 'This needs the scope operator; the token has admin. Ask an administrator for it.'],
      ])
    expect((await ask('GET /v1/datasources/clicks', { as: 'operator' })).status).toBe(403)
  })

  it('429 for a quota that is spent', async () => {
    expect((await ask('GET /v1/status', { as: 'poor' })).status).toBe(200)
    expect((await ask('GET /v1/notices/stream', { as: 'poor' })).told['retry-after']).toBe('100')
  })

  const secured = operations.filter(({ operation }) => operation.security === undefined)
  const where = secured.map(({ method, path, operation }) => {
    const name = path.startsWith('/v1/pipes') ? 'views' : 'clicks'
    const { description } = operation
    return {
      what: `${method} ${path.replace('{name}', name)}`,
      needs: /^Needs (?:scope `(\w+)|any)/.exec(description)?.[1],
      path,
    }
  })
  const bodyFor = (what: string) => (/^PUT|events$/.test(what) ? { text: '!', type: 'application/json' } : {})

  /** What a stream begins with for somebody who may see nothing of it. */
  async function firstOf(path: string, as: string): Promise<string> {
    const leave = new AbortController()
    const headers = { authorization: `Bearer ${secretOf(as)}`, 'last-event-id': 'n-00000000' }
    const response = await fetch(`${gateway.url}${path}`, { headers, signal: leave.signal })
    const { value } = (await response.body?.getReader().read()) ?? {}
    leave.abort()
    return new TextDecoder().decode(value)
  }

  it.each(where)('$what: nobody but who may', async ({ what, needs, path }) => {
    expect((await ask(what, { as: '', ...bodyFor(what) })).status).toBe(401)
    expect((await ask(what, { as: 'forger', ...bodyFor(what) })).status).toBe(401)
    if (path.startsWith('/v1/')) {
      const other = await ask(what, { as: 'stranger', headers: { 'x-tenant-id': 'acme' }, ...bodyFor(what) })
      expect([other.status, other.json.type]).toEqual([403, 'urn:sluice:problem:other-tenant'])
      expect((await ask(what, { headers: { 'x-dataset-id': 'a b' }, ...bodyFor(what) })).status).toBe(400)
      expect((await ask(`${what}?nonsense=1`, bodyFor(what))).status).toBe(400)
    }
    if (path === '/v1/notices/stream') return expect(await firstOf(path, 'nobody')).toBe(': still here\n\n')
    const nobody = await ask(what, { as: 'nobody', ...bodyFor(what) })
    if (needs === undefined) {
      expect(nobody.status).toBe(200)
      expect(nobody.text).not.toMatch(/clicks|views/)
    } else expect([nobody.status, nobody.json.type]).toEqual([403, 'urn:sluice:problem:missing-scope'])
    // An administrator of another tenant has data sources of the same names, and none of these.
    if (path.startsWith('/v1/') && !/^PUT .*(clicks|views)$/.test(what)) {
      const stranger = await ask(what, { as: 'stranger', ...bodyFor(what) })
      expect(stranger.status).toBe(path.includes('{name}') ? 404 : 200)
      expect(stranger.text).not.toContain('edges')
    }
    if (what !== 'GET /v1/notices/stream' && what !== 'GET /v1/status/stream')
      await ask(what, { as: 'poor', ...bodyFor(what) })
    expect((await ask(what, { as: 'poor', ...bodyFor(what) })).status).toBe(429)
  })

  it('gives each right no more than what it says', async () => {
    const [sendTo, read, own] = [
      'POST /v1/datasources/clicks/events',
      'GET /v1/pipes/clicks',
      'GET /v1/datasources/clicks/backlog',
    ]
    const statuses = async (as: string) =>
      Promise.all([sendTo, read, own].map(async (what) => (await ask(what, { as, ...bodyFor(what) })).status))
    expect(await statuses('reader')).toEqual([403, 404, 403])
    expect(await statuses('writer')).toEqual([400, 403, 403])
    expect(await statuses('owner')).toEqual([400, 404, 200])
    expect((await ask('POST /v1/datasources/gone/events', { as: 'writer', body: [EVENT] })).json.detail).toBe(
      'There is no data source "gone" in data set "default". There are: clicks.',
    )
  })

  it('keeps as many data sources and pipes of a tenant as it may have', async () => {
    const all: readonly (readonly [path: string, what: string, body: unknown])[] = [
      ['datasources', 'data sources', { columns: COLUMNS }],
      ['pipes', 'pipes', { sql: 'SELECT 1 AS one' }],
    ]
    for (const [path, what, body] of all) {
      const put = (name: string, dataset = 'default') =>
        ask(`PUT /v1/${path}/${name}`, { as: 'hoarder', body, headers: { 'x-dataset-id': dataset } })
      const names = Array.from({ length: 30 }, (_, i) => `it${i}`)
      const made = await Promise.all(names.map((name, i) => put(name, `d${i % 2}`)))
      expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]))
      expect((await put('one_more')).json).toEqual({
        ...{ type: `urn:sluice:problem:too-many-${what.replace(' ', '-')}`, title: `Too many ${what}`, status: 409 },
        detail: `This tenant has 30 ${what} in all its data sets, which is as many as it may have. Delete one first.`,
      })
      expect((await put('it0', 'd0')).status).toBe(200)
      const gone = { as: 'hoarder', headers: { 'x-dataset-id': 'd1' } }
      expect((await ask(`DELETE /v1/${path}/it1`, gone)).status).toBe(204)
      expect((await put('one_more')).status).toBe(201)
    }
  })

  it('has been seen to give every answer that can be had from a gateway that is well', () => {
    const hard = new Set(['405', '408', '500', '503', '504'])
    const described = operations.flatMap(({ operation }) =>
      Object.keys(operation.responses).flatMap((status) =>
        hard.has(status) ? [] : [`${operation.operationId} ${status}`],
      ),
    )
    // A node that is down; one that an earlier version saved, in secure/saved-pipes; in the other file.
    const unlike = ['putRoute 409', 'runPipe 409', 'getHealth 200']
    expect(described.filter((it) => !seen.has(it) && !unlike.includes(it))).toEqual([])
    expect(seen).toContain('sendEvents 504')
  })
})
