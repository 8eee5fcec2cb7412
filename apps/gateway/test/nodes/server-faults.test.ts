import { setTimeout as sleep } from 'node:timers/promises'
import { NodeUnavailableError, QueryTimeoutError, ServerNode } from '@sluice/gateway/nodes'
import { InsertError } from '@sluice/ingest'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../running-gateway.js'
import { startClickHouse, type TestClickHouse } from './servers.js'
import { blockOf, clicks, rowsOf, SLOW_VIEW, slow } from './store-node.contract.js'
import { TcpProxy } from './tcp-proxy.js'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const never = new AbortController().signal

/** Aborted after so long. */
function within(ms: number): AbortSignal {
  const late = new AbortController()
  setTimeout(() => late.abort(new Error(`not within ${ms} ms`)), ms).unref()
  return late.signal
}

describe('a server on a network that fails', () => {
  let server: TestClickHouse
  let proxy: TcpProxy
  let node: ServerNode
  beforeAll(async () => {
    server = await startClickHouse()
    proxy = await TcpProxy.start(server.port)
    const { user, password } = server
    node = new ServerNode({ name: 'server-1', url: proxy.url, user, password, logger: silent })
    await node.start()
    for (const table of [clicks, slow]) await node.define(table, never)
    await server.sql(`CREATE MATERIALIZED VIEW slow_view ${SLOW_VIEW}`)
  })
  afterEach(() => proxy?.set({}))
  afterAll(async () => {
    await node?.close()
    await proxy?.close()
    await server?.close()
  })
  const count = async (block: string, table = 'clicks') =>
    Number(await server.sql(`SELECT count() FROM s_acme__web.${table} WHERE _block = '${block}'`))

  it.each([100, 60_000, 200_000, 340_000])(
    'writes nothing of a block that is cut off after %d bytes',
    async (bytes) => {
      // Nearly all of it is space between rows: a body that ends there looks like a whole one.
      const spaced = rowsOf(200).map((row) => row + ' '.repeat(2000))
      const block = blockOf(`cut-${bytes}`, spaced)
      const { user, password } = server
      const own = new ServerNode({ name: 'own', url: proxy.url, user, password, logger: silent })
      await own.start()
      proxy.set({ cutAfterBytes: bytes })
      const error = await own.insert(block, never).catch((it) => it)
      expect(error).toBeInstanceOf(NodeUnavailableError)
      proxy.set({})
      expect(await own.hasBlock(block, never)).toBe(false)
      expect(await count(block.id)).toBe(0)
      await own.close()
    },
  )

  it('knows a block that was written while its answer was lost', async () => {
    const block = blockOf('lost-answer', rowsOf(25), slow.source)
    const leaving = new AbortController()
    const inserted = node.insert(block, leaving.signal)
    const sql = `SELECT count() FROM system.processes WHERE query_id LIKE 'sluice_block_lost-answer_%'`
    const running = async () => Number(await server.sql(sql))
    await until('the server writes it', async () => (await running()) === 1)
    proxy.set({ isBlackHole: true })
    leaving.abort(new Error('left'))
    await expect(inserted).rejects.toThrow('left')
    await expect(node.hasBlock(block, within(200))).rejects.toThrow('not within 200 ms') // nobody knows yet
    await expect(node.ping(within(100))).rejects.toThrow('not within 100 ms')
    expect(node.state).toBe('down')
    await until('it is written', async () => (await running()) === 0)
    proxy.set({})
    expect(await node.hasBlock(block, never)).toBe(true)
    expect(await count(block.id, 'slow')).toBe(25)
    expect(node.state).toBe('up')
  })

  it('ends a read of a silent server, and does not keep its slot', async () => {
    proxy.set({ isBlackHole: true })
    const read = node.query({ sql: 'SELECT 1', params: {}, timeoutMs: 50 })
    await expect(read.answer).rejects.toThrow(QueryTimeoutError)
    await read.ended // within the test's own time: the connection alone would stay for ten minutes
  })

  it('lets nothing arrive after it said that it is not there', async () => {
    const block = blockOf('stuck', rowsOf(20_000))
    const warm = blockOf('warm', rowsOf(1))
    await node.insert(warm, never) // a connection that is kept
    proxy.set({ isBlackHole: true })
    await expect(node.insert(block, within(150))).rejects.toThrow('not within 150 ms')
    proxy.set({})
    const isThere = await node.hasBlock(block, never)
    const found = await count(block.id)
    expect(found).toBe(isThere ? 20_000 : 0)
    await sleep(300)
    expect(await count(block.id)).toBe(found)
  })

  it('waits for a server that is stopped, and believes what it does when it goes on', async () => {
    const blocks = [1, 2, 3].map((n) => blockOf(`stopped-${n}`, rowsOf(5000)))
    server.pause()
    for (const block of blocks) await expect(node.insert(block, within(60))).rejects.toThrow()
    await expect(node.hasBlock(blocks[0] ?? blockOf('', []), within(60))).rejects.toThrow()
    server.resume()
    for (const block of blocks) {
      const isThere = await node.hasBlock(block, never)
      expect(await count(block.id)).toBe(isThere ? 5000 : 0)
      if (!isThere) await node.insert(block, never)
    }
    await sleep(300)
    for (const { id } of blocks) expect(await count(id)).toBe(5000)
  })

  it('is slow on a slow network, and works', async () => {
    proxy.set({ delayMs: 20, bytesPerSecond: 2_000_000 })
    const sinceMs = performance.now()
    await node.insert(blockOf('throttled', rowsOf(5000)), never)
    expect(performance.now() - sinceMs).toBeGreaterThan(200)
    expect(await count('throttled')).toBe(5000)
  })

  it('says of a table with too many parts that the data source is at fault', async () => {
    const full = { ...clicks, source: 'acme/web/full' }
    await node.define(full, never)
    const engine = `MergeTree PARTITION BY toYYYYMMDD(at) ORDER BY (user, at) SETTINGS parts_to_delay_insert = 1, parts_to_throw_insert = 3, max_delay_to_insert = 1`
    const columns = `_block String, at DateTime('UTC'), user String, ms UInt32, big Nullable(Int64)`
    await server.sql('DROP TABLE s_acme__web.full')
    await server.sql(`CREATE TABLE s_acme__web.full (${columns}) ENGINE = ${engine}`)
    await server.sql('SYSTEM STOP MERGES s_acme__web.full')
    await node.define(full, never) // it fits, with settings of its own
    for (const id of ['1', '2', '3'])
      await server.sql(`INSERT INTO s_acme__web.full (_block, at) VALUES ('${id}', '2026-11-30 23:30:00')`)
    const error = await node.insert(blockOf('too many', rowsOf(1), full.source), never).catch((it) => it)
    expect(error).toBeInstanceOf(InsertError)
    expect(error.fault).toBe('source')
    expect(await node.activeParts(full.source, never)).toEqual({ active: 3, partsToDelayInsert: 1 })
  })

  it('does not say that a block is not written where only its view failed', async () => {
    const viewed = { ...clicks, source: 'acme/web/viewed' }
    await node.define(viewed, never)
    const broken = `ENGINE = MergeTree ORDER BY at AS SELECT at, throwIf(ms = 2) AS x FROM s_acme__web.viewed`
    await server.sql(`CREATE MATERIALIZED VIEW broken_view ${broken}`)
    const block = blockOf('half done', rowsOf(5), viewed.source)
    const error = await node.insert(block, never).catch((it) => it)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(InsertError)
    expect(await node.hasBlock(block, never)).toBe(true)
    expect(await count(block.id, 'viewed')).toBe(5)
  })

  it('repeats neither user nor password of one that is not let in', async () => {
    const logged: unknown[] = []
    const logger = { ...silent, warn: (...line: unknown[]) => void logged.push(line) }
    const other = new ServerNode({ name: 'other', url: server.url, user: 'mallory', password: 'a-guess', logger })
    await other.start()
    const errors = [
      await other.insert(blockOf('x', rowsOf(1)), never).catch((it) => it),
      await other.query({ sql: 'SELECT 1', params: {}, timeoutMs: 1000 }).answer.catch((it) => it),
    ]
    await other.close()
    expect(errors[0]).toMatchObject({ name: 'InsertError', fault: 'node' })
    expect(errors[1]).toMatchObject({ clickhouseCode: 192 })
    const all = [...errors.flatMap((it) => [it.stack, String(it.cause)]), JSON.stringify(logged)].join()
    expect(all).toMatch(/Code: 192/)
    expect(all).not.toMatch(/mallory|a-guess/)
  })

  it.each([
    ['ftp://127.0.0.1', /must begin with http/],
    ['http://me:secret@127.0.0.1', /give them as user and password/],
    ['nowhere', /must be the URL/],
  ])('takes no URL like %s, and does not repeat it', (url, message) => {
    const make = () => new ServerNode({ name: 'n', url, logger: silent })
    expect(make).toThrow(message)
    expect(make).not.toThrow(/secret/)
  })

  it('knows that nothing was sent where nobody listens, and comes back', async () => {
    await server.kill()
    const { url, user, password } = server
    const direct = new ServerNode({ name: 'direct', url, user, password, logger: silent })
    const block = blockOf('nobody', rowsOf(1))
    await direct.start()
    expect(direct.state).toBe('down')
    const error = await direct.insert(block, never).catch((it) => it)
    expect(error).toMatchObject({ name: 'InsertError', fault: 'node' })
    await expect(direct.ping(never)).rejects.toThrow(NodeUnavailableError)
    await server.restart()
    await direct.ping(never)
    expect(direct.state).toBe('up')
    await direct.insert(block, never)
    expect(await direct.hasBlock(block, never)).toBe(true)
    await direct.close()
  })
})
