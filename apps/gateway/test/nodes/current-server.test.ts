import { createServer, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { ServerNode } from '@sluice/gateway/nodes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blockOf, clicks, rowsOf } from './store-node.contract.js'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const never = new AbortController().signal

interface Seen {
  readonly params: URLSearchParams
  readonly body: string
}

/** What a current server is asked is held here to its documentation; that it understands the SQL the embedded engine shows. */
describe('a server that says it is a current one', () => {
  let server: Server
  let node: ServerNode
  const seen: Seen[] = []
  let answer: (seen: Seen) => { status?: number; body: unknown } = () => ({ body: '' })
  const serves = { body: { data: [{ version: '25.8.1.1', readonly: '0' }] } }
  /** What it says of itself. */
  let greeting: { status?: number; body: unknown } = serves
  beforeAll(async () => {
    const respond = async (request: IncomingMessage) => {
      const it = { params: new URL(request.url ?? '', 'http://x').searchParams, body: await text(request) }
      if (`${it.params.get('query') ?? it.body}`.includes('version()')) return greeting
      seen.push(it)
      return answer(it)
    }
    server = createServer(async (request, response) => {
      const { status = 200, body } = await respond(request)
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    node = new ServerNode({ name: 'now', url: `http://127.0.0.1:${port}`, logger: silent })
    await node.start()
  })
  afterAll(async () => {
    await node.close()
    await new Promise((resolve) => server.close(resolve))
  })

  it('has values bound by the server', async () => {
    answer = () => ({ body: `{"data":[],"rows": 0,"statistics":{"elapsed":0.002,"rows_read":1,"bytes_read":2}}` })
    const sql = 'SELECT {text:String} AS text'
    const query = { sql, params: { text: `' OR \\1\t` }, namespace: 'acme/web', timeoutMs: 1500 }
    expect(await node.query(query).answer).toMatchObject({ rows: 0, elapsedMs: 2 })
    const [{ params, body } = { params: new URLSearchParams(), body: '' }] = seen.splice(0)
    expect(body).toBe(sql)
    expect(Object.fromEntries(params)).toMatchObject({
      ...{ param_text: `\\' OR \\\\1\\t`, database: 's_acme__web', readonly: '1', max_execution_time: '3' },
      ...{ wait_end_of_query: '1', query_id: expect.stringMatching(/^sluice_read_/) },
    })
    await node.query({ sql, params: {}, timeoutMs: 1500 }).answer
    expect(seen.splice(0)[0]?.params.get('readonly')).toBe('2') // of the gateway's own
  })

  it('has a block’s id as its token, and the rows as they are', async () => {
    answer = () => ({ body: '' })
    await node.insert(blockOf('b-1', rowsOf(2)), never)
    const [{ params, body } = { params: new URLSearchParams(), body: '' }] = seen.splice(0)
    expect(body).toBe(
      rowsOf(2)
        .map((row) => `{"_block":"b-1",${row.slice(1)}\n`)
        .join(''),
    )
    expect(Object.fromEntries(params)).toMatchObject({
      ...{ query: 'INSERT INTO `s_acme__web`.`clicks` FORMAT JSONEachRow', insert_deduplication_token: 'b-1' },
      ...{ async_insert: '0', max_insert_block_size: '3', input_format_skip_unknown_fields: '0' },
      query_id: expect.stringMatching(/^sluice_block_b-1_/),
    })
    expect(params.has('decompress')).toBe(false)
  })

  it('makes tables that drop a token that they had', async () => {
    const made: string[] = []
    answer = ({ body }) => {
      if (/^CREATE TABLE/.test(body)) made.push(body)
      const keys = { partition_key: 'toYYYYMMDD(at)', sorting_key: 'user, at' }
      const columns =
        made.length > 0
          ? ['_block String', "at DateTime('UTC')", 'user String', 'ms UInt32', 'big Nullable(Int64)']
          : []
      const data = body.includes('partition_key')
        ? [keys]
        : columns.map((it) => ({ name: it.split(' ')[0], type: it.slice(it.indexOf(' ') + 1) }))
      return { body: { data } }
    }
    await node.define(clicks, never)
    expect(made).toEqual([
      "CREATE TABLE IF NOT EXISTS `s_acme__web`.`clicks` (`_block` String, `at` DateTime('UTC'), `user` String, " +
        '`ms` UInt32, `big` Nullable(Int64)) ENGINE = MergeTree PARTITION BY toYYYYMMDD(at) ORDER BY (user, at) ' +
        'SETTINGS non_replicated_deduplication_window = 1000',
    ])
    seen.splice(0)
  })

  it.each([
    [241, 'MEMORY_LIMIT_EXCEEDED', 'resources'],
    [252, 'TOO_MANY_PARTS', 'source'], // of its own table: it must hold back nobody else’s probe
    [243, 'NOT_ENOUGH_SPACE', 'resources'],
    [27, 'CANNOT_PARSE_INPUT_ASSERTION_FAILED', 'source'],
    [497, 'ACCESS_DENIED', 'node'],
    [242, 'TABLE_IS_READ_ONLY', 'node'],
    [516, 'AUTHENTICATION_FAILED', 'node'], // of another server, which a view asks
  ])('understands code %d (%s) as the fault of: %s', async (code, type, fault) => {
    const refusal = `Code: ${code}. DB::Exception: It cannot be. (${type}) (version 25.8.1.1 (official build))`
    answer = ({ params, body }) =>
      params.has('query')
        ? { status: 500, body: refusal }
        : { body: { data: body.includes('count()') ? [{ count: '0' }] : [] } }
    expect(await node.insert(blockOf('b-2', rowsOf(1)), never).catch((it) => it)).toMatchObject({
      name: 'InsertError',
      fault,
    })
    expect(node.state).toBe('up') // it serves the gateway: that is one table's matter
  })

  it.each([
    ['refuses all', 201, 'QUOTA_EXCEEDED', 'down'],
    ['is short of something', 202, 'TOO_MANY_SIMULTANEOUS_QUERIES', 'up'],
  ])('that %s (%d) is then %s: %s', async (_, code, type, state) => {
    greeting = { status: 500, body: `Code: ${code}. DB::Exception: Not now. (${type}) (version 25.8.1.1)` }
    await expect(node.ping(never)).rejects.toMatchObject({ clickhouseCode: code })
    expect(node.state).toBe(state)
    greeting = serves
    await node.ping(never)
    expect(node.state).toBe('up')
  })

  it('is down where what answers is something else', async () => {
    greeting = { body: '<html>Welcome</html>' }
    await expect(node.ping(never)).rejects.toThrow('What answers is no ClickHouse server.')
    expect(node.state).toBe('down')
    greeting = serves
    await node.ping(never)
    expect(node.state).toBe('up')
  })

  it.each([
    [319, 'UNKNOWN_STATUS_OF_INSERT'],
    [394, 'QUERY_WAS_CANCELLED'],
    [159, 'TIMEOUT_EXCEEDED'],
  ])('knows that code %d (%s) leaves it open', async (code, type) => {
    answer = () => ({ status: 500, body: `Code: ${code}. DB::Exception: Who knows. (${type}) (version 25.8.1.1)` })
    const error = await node.insert(blockOf('b-3', rowsOf(1)), never).catch((it) => it)
    expect(error).toMatchObject({ name: 'EngineError', clickhouseCode: code })
  })
})
