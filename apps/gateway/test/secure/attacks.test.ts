import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../running-gateway.js'
import { type Bystander, standBy } from './bystander.js'
import { type GatewayProcess, startProcess } from './gateway-process.js'
import { endless, opened, raw, type Sent } from './raw.js'

const SECRET = 'a-secret-of-the-attacked-1'
const COLUMNS = [
  { name: 'id', type: 'UInt64' },
  { name: 'text', type: 'String' },
]
const PLAN = { requests_per_second: 1e5, burst: 1e5, rows_per_second: 2000 }
const AUTH = `Host: a\r\nAuthorization: Bearer ${SECRET}\r\n`
const EVENTS = `POST /v1/datasources/clicks/events HTTP/1.1\r\n${AUTH}Content-Type: application/x-ndjson\r\n`
const MIB = 1_048_576
const MOST = 10 * MIB
/** 10 000, above the gateway's own bound, take ten seconds to open where both ends are busy. */
const IDLE = Number(process.env.SLUICE_IDLE_CONNECTIONS ?? 2000)

const sized = (body: string | Buffer, more = ''): Sent => [
  ...[`${EVENTS}${more}Connection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`, body],
]
const many = (line: string, bytes: number) => line.repeat(Math.floor(bytes / line.length))
describe('a gateway that is attacked', () => {
  let gateway: GatewayProcess
  let bystander: Bystander
  let slowestMs = 0
  beforeAll(async () => {
    gateway = await startProcess([{ name: 'admin', token: SECRET, scopes: ['admin'] }])
    const put = (path: string, body: unknown) =>
      fetch(`${gateway.url}/v1/${path}`, {
        ...{ method: 'PUT', body: JSON.stringify(body) },
        headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
      })
    expect((await put('datasources/clicks', { columns: COLUMNS, plan: PLAN })).status).toBe(201)
    const one = { sql: 'SELECT {text:String} AS text', parameters: [{ name: 'text', type: 'String' }] }
    expect((await put('pipes/one', one)).status).toBe(201)
  })
  afterAll(() => gateway.close())
  beforeEach(() => {
    bystander = standBy(gateway.url, SECRET)
  })
  afterEach(async () => {
    const it = await bystander.stop()
    slowestMs = Math.max(slowestMs, it.slowestMs)
    expect(it.asked).toBeGreaterThan(0)
  })

  // What is no HTTP, or would be read differently by what stands before the gateway: Node's parser, or we, refuse it.
  it.each<[string, Sent, number[]]>([
    ['two framings (TE and CL)', `${EVENTS}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n`, [400]],
    ['two lengths', `${EVENTS}Content-Length: 4\r\nContent-Length: 5\r\n\r\n{}\n\n`, [400]],
    ['a length that is none', `${EVENTS}Content-Length: 4x\r\n\r\n{}\n\n`, [400]],
    ['a length below 0', `${EVENTS}Content-Length: -1\r\n\r\n`, [400]],
    ['a space before a colon', `${EVENTS}Content-Length : 4\r\n\r\n{}\n\n`, [400]],
    ['a body in chunks', endless(`${EVENTS}Transfer-Encoding: chunked\r\n\r\n`, '5\r\n{"a":\r\n', 1e4), [411]],
    ['another coding of it', `${EVENTS}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, [411]],
    ['chunks that are none', `${EVENTS}Transfer-Encoding: xchunked\r\n\r\n`, [400]],
    [
      'chunks behind 2100 headers',
      endless(`${EVENTS}${'a:\r\n'.repeat(2100)}Transfer-Encoding: chunked\r\n\r\n`, '5\r\n{"a":\r\n', 1e4),
      [411],
    ],
    ['no HTTP at all', '\u0016\u0003\u0001 hello \r\n\r\n', [400]],
    ['a header of 20 kB', `${EVENTS}a: ${'a'.repeat(20_000)}\r\n\r\n`, [431]],
    ['headers without end', endless(EVENTS, `${'a'.repeat(50)}: b\r\n`, 20_000), [431]],
    ['an address of 20 kB', `GET /v1/pipes/${'a'.repeat(20_000)} HTTP/1.1\r\n${AUTH}\r\n`, [431]],
    ['a length above the limit', `${EVENTS}Content-Length: ${MOST + 1}\r\n\r\n`, [413]],
    ['a length beyond counting', `${EVENTS}Content-Length: 99999999999999999999\r\n\r\n`, [400]],
  ])('answers %s and closes', async (_, sent, statuses) => {
    const answer = await raw(gateway.port, sent)
    expect([answer.statuses, answer.isClosed]).toEqual([statuses, true])
  })

  it.each(['gzip', 'deflate', 'br', 'zstd', 'x-gzip', 'identity, gzip'])('inflates no body: %s', async (coding) => {
    const body = gzipSync(Buffer.alloc(MIB, ' '))
    const { statuses } = await raw(gateway.port, sized(body, `Content-Encoding: ${coding}\r\n`))
    expect(statuses).toEqual([415])
  })

  it.each<[string, string | Buffer, number, string]>([
    ['one line of 10 MiB', 'x'.repeat(MOST), 202, '"accepted":0,"quarantined":1'],
    ['a text of 10 MiB that never ends', `{"text":"${'a'.repeat(MOST - 9)}`, 202, '"accepted":0,"quarantined":1'],
    ['ten million empty lines', '\n'.repeat(MOST), 400, 'has more than 20000 rows'],
    ['five million lines of a space', many(' \n', MOST), 400, 'has more than 20000 rows'],
    ['a line of ten million spaces', ' '.repeat(MOST), 400, 'has no rows'],
    ['more rows than are taken', many('{}\n', MOST), 400, 'has more than 20000 rows'],
    ['rows that are none', many('x\n', MOST), 400, 'has more than 20000 rows'],
    [
      'arrays in arrays',
      `{"text":${'['.repeat(MOST / 2 - 8)}${']'.repeat(MOST / 2 - 8)}}`,
      202,
      '"accepted":0,"quarantined":1',
    ],
    ['objects that never end', `${many('{"a":', MOST - 1)}\n`, 202, '"accepted":0,"quarantined":1'],
    ['a million members', `{${many('"aaaaa":1,', MOST - 20)}"id":1}`, 202, '"accepted":0,"quarantined":1'],
    ['a number of ten million digits', `{"id":${'9'.repeat(MOST - 20)}}`, 202, '"accepted":0,"quarantined":1'],
    ['numbers beyond all', '{"id":1e999}\n{"id":-0.0}\n{"id":1e-999}\n', 202, '"accepted":2,"quarantined":1'],
    ['members twice', '{"id":"x","id":7}\n{"id":7,"id":"x"}', 202, '"accepted":1,"quarantined":1'],
    [
      'what prototypes have',
      '{"__proto__":{"id":1}}\n{"constructor":1}\n{"toString":1}',
      202,
      '"accepted":0,"quarantined":3',
    ],
    ['half a character', Buffer.from('7b22746578742278c3280a', 'hex'), 400, 'is not UTF-8'],
    ['the character NUL', '{"text":"\\u0000"}\n\u0000\n', 202, '"accepted":1,"quarantined":1'],
  ])('takes a body for what it is: %s', async (_, body, status, words) => {
    const answer = await raw(gateway.port, sized(body))
    expect([answer.statuses, answer.text]).toEqual([[status], expect.stringContaining(words)])
  })

  it('answers requests that are sent together, each by its own right', async () => {
    const hidden = 'GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n'
    const last = 'GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    const sent = `${EVENTS}Content-Length: 3\r\n\r\n{}\n${hidden.repeat(499)}${last}`
    const { statuses } = await raw(gateway.port, sent)
    expect([statuses[0], new Set(statuses.slice(1)), statuses.length]).toEqual([202, new Set([401]), 501])
  })

  it('waits for nobody who leaves, or says less than was announced', async () => {
    const half = `${EVENTS}Content-Length: 1000\r\n\r\n{"id":1}\n`
    const sockets = await Promise.all(Array.from({ length: 200 }, () => opened(gateway.port)))
    for (const [i, socket] of sockets.entries()) {
      socket.write(half)
      if (i % 2 === 0) socket.end()
      else socket.resetAndDestroy()
    }
    await until('all are gone', () => sockets.every((it) => it.destroyed || it.readableEnded))
    for (const it of sockets) it.destroy()
  })

  it(`lets ${IDLE} connections be that ask nothing`, async () => {
    const before = gateway.rssMb().now
    const sockets: Socket[] = []
    while (sockets.length < IDLE)
      sockets.push(...(await Promise.all(Array.from({ length: 500 }, () => opened(gateway.port)))))
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200)
    const grown = gateway.rssMb().now - before
    for (const it of sockets) it.destroy()
    expect(grown).toBeLessThan(300)
    console.log(`${IDLE} idle connections: ${Math.round(grown)} MB`)
  })

  it('and held little memory, and its others were served', () => {
    console.log(
      `slowest answer of a bystander: ${Math.round(slowestMs)} ms; memory at most ${Math.round(gateway.rssMb().most)} MB`,
    )
    expect(gateway.rssMb().most).toBeLessThan(1500)
  })
})
