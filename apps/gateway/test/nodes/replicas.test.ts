import { setTimeout as sleep } from 'node:timers/promises'
import { ServerNode } from '@sluice/gateway/nodes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startClickHouse, startZooKeeper, type TestClickHouse, type TestProcess } from './servers.js'
import { blockOf, clicks, rowsOf } from './store-node.contract.js'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const never = new AbortController().signal

describe('three servers that are replicas', () => {
  let zooKeeper: TestProcess
  let servers: TestClickHouse[] = []
  let nodes: ServerNode[] = []
  beforeAll(async () => {
    zooKeeper = await startZooKeeper()
    servers = await Promise.all([1, 2, 3].map(() => startClickHouse({ zooKeeper })))
    nodes = servers.map(({ url, user, password }, n) => {
      const replicated = { path: '/sluice/tables', replica: `replica-${n + 1}` }
      return new ServerNode({ name: `server-${n + 1}`, url, user, password, replicated, logger: silent })
    })
    await Promise.all(nodes.map((node) => node.start()))
    for (const node of nodes) await node.define(clicks, never)
  })
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.close()))
    await Promise.all(servers.map((server) => server.close()))
    await zooKeeper?.close()
  })

  const nth = <T>(list: readonly T[], n: number): T => {
    const it = list[n]
    if (it === undefined) throw new Error(`there is no ${n}`)
    return it
  }
  /** What each replica has of a block, as soon as all have the same. */
  const counts = async (block: string) => {
    const sinceMs = performance.now()
    while (true) {
      const sql = `SELECT count() FROM s_acme__web.clicks WHERE _block = '${block}'`
      const found = await Promise.all(servers.map((server) => server.sql(sql)))
      if (new Set(found).size === 1 || performance.now() - sinceMs > 60_000) return found.map(Number)
      await sleep(20)
    }
  }

  it('has a block once that was written to two of them', async () => {
    const block = blockOf('twice', rowsOf(1000))
    await nth(nodes, 0).insert(block, never)
    await nth(nodes, 1).insert(block, never)
    expect(await counts('twice')).toEqual([1000, 1000, 1000])
  })

  it('has blocks of the same rows as often as they are blocks', async () => {
    for (const id of ['same-1', 'same-2']) await nth(nodes, 2).insert(blockOf(id, rowsOf(10)), never)
    expect([await counts('same-1'), await counts('same-2')].flat()).toEqual(Array(6).fill(10))
  })

  it('has a block once that goes elsewhere while its server is stopped with it', async () => {
    const block = blockOf('rerouted', rowsOf(5000))
    const late = new AbortController()
    nth(servers, 0).pause()
    const inserted = nth(nodes, 0).insert(block, late.signal)
    await sleep(50)
    late.abort(new Error('late'))
    await expect(inserted).rejects.toThrow('late')
    await nth(nodes, 1).insert(block, never)
    nth(servers, 0).resume()
    expect(await counts('rerouted')).toEqual([5000, 5000, 5000])
    await sleep(300) // what was on its way to the first has arrived by now
    expect(await counts('rerouted')).toEqual([5000, 5000, 5000])
    expect(await nth(nodes, 0).hasBlock(block, never)).toBe(true)
  })

  it('adds a column on one, and has it on all', async () => {
    const grown = { ...clicks, columns: [...clicks.columns, { name: 'path', type: 'String' } as const] }
    await Promise.all(nodes.map((node) => node.define(grown, never)))
    await nth(nodes, 1).insert(blockOf('grown', ['{"at":1796081400,"path":"/a"}']), never)
    expect(await counts('grown')).toEqual([1, 1, 1])
  })
})
