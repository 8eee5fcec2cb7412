import { setTimeout as sleep } from 'node:timers/promises'
import type { StoreNode, TableDefinition } from '@sluice/gateway/nodes'
import { EngineError, QueryTimeoutError, SchemaConflictError } from '@sluice/gateway/nodes'
import { type Block, InsertError } from '@sluice/ingest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** A node, and what a test must do to it that no gateway does. */
export interface NodeUnderTest {
  readonly node: StoreNode
  /** Ends its engine as a crash does. It is back, sooner or later, over the same files. */
  crash(): Promise<void>
  close(): Promise<void>
}

export const clicks: TableDefinition = {
  source: 'acme/web/clicks',
  columns: [
    { name: 'at', type: 'DateTime' },
    { name: 'user', type: 'String' },
    { name: 'ms', type: 'UInt32' },
    { name: 'big', type: 'Int64', nullable: true },
  ],
  partition: { column: 'at', by: 'day' },
  orderBy: ['user', 'at'],
}

/** As {@link clicks}, with a view that makes each of its inserts take a second: {@link SLOW_VIEW}. */
export const slow: TableDefinition = { ...clicks, source: 'acme/web/slow' }
/** A view of 10 rows is 1 s. */
export const SLOW_VIEW = 'ENGINE = MergeTree ORDER BY at AS SELECT at, sleepEachRow(0.1) AS slept FROM s_acme__web.slow'

const never = new AbortController().signal

/** 23:30 in UTC: the next day in Berlin, and the same day's evening in New York. */
export function blockOf(id: string, rows: readonly string[], source: string = clicks.source): Block {
  return { id, source, partition: '20261130', count: rows.length, pieces: [Buffer.from(rows.join('\n'))] }
}

export function rowsOf(count: number): string[] {
  const row = (n: number) =>
    JSON.stringify({ at: '2026-11-30 23:30:00', user: `u${n}`, ms: n, big: `${n}000000000000` })
  return Array.from({ length: count }, (_, n) => row(n))
}

/** What every node must do, whatever it is. */
export function describeStoreNode(name: string, start: () => Promise<NodeUnderTest>): void {
  describe(name, () => {
    let it_: NodeUnderTest
    let node: StoreNode
    beforeAll(async () => {
      it_ = await start()
      node = it_.node
      await node.define(clicks, never)
    })
    afterAll(() => it_?.close())

    const rows = async (sql: string, params: Record<string, string> = {}, namespace = 'acme/web') => {
      const { body } = await node.query({ sql, params, namespace, timeoutMs: 5000 }).answer
      return JSON.parse(body).data as Record<string, unknown>[]
    }
    const count = async (block: string, table = 'clicks') => {
      const [row] = await rows(`SELECT count() AS n FROM ${table} WHERE _block = {block:String}`, { block })
      return Number(row?.n)
    }
    const until = async (what: string, test: () => Promise<boolean>) => {
      const sinceMs = performance.now()
      while (!(await test().catch(() => false))) {
        if (performance.now() - sinceMs > 60_000) throw new Error(`not within 60 s: ${what}`)
        await sleep(20)
      }
    }

    it('answers a ping', async () => {
      await node.ping(never)
      expect(node.state).toBe('up')
    })

    it('ends a ping with its signal’s reason', async () => {
      const gone = new Error('gone')
      await expect(node.ping(AbortSignal.abort(gone))).rejects.toBe(gone)
    })

    it('writes all rows of a block, each with the block’s id', async () => {
      await node.insert(blockOf('b-1', rowsOf(1000)), never)
      const [row] = await rows('SELECT count() AS n, sum(ms) AS ms, max(big) AS big, min(_block) AS block FROM clicks')
      expect(row).toEqual({ n: '1000', ms: '499500', big: '999000000000000', block: 'b-1' })
    })

    it('takes rows however their JSON is spaced on their line, and an empty one', async () => {
      const spaced = ['  { "user" : "x", "at":1796081400 }\t', '{"at":"2026-11-30T23:30:00Z"}', '{\t"at":1796081400}']
      await node.insert(blockOf('b-spaced', spaced), never)
      const found = await rows(
        `SELECT user, toString(at) AS at, big FROM clicks WHERE _block = 'b-spaced' ORDER BY user`,
      )
      const at = '2026-11-30 23:30:00'
      expect(found).toEqual(['', '', 'x'].map((user) => ({ user, at, big: null })))
      await node.insert({ ...blockOf('b-empty', ['{}', ' { } ']), partition: '19700101' }, never)
      expect(await count('b-empty')).toBe(2)
    })

    it('finds a block in its partition alone, and one that is not written nowhere', async () => {
      const block = blockOf('b-2', rowsOf(3))
      expect(await node.hasBlock(block, never)).toBe(false)
      await node.insert(block, never)
      expect(await node.hasBlock(block, never)).toBe(true)
      expect(await node.hasBlock({ ...block, partition: '20261201' }, never)).toBe(false)
      expect(await node.hasBlock({ ...block, source: 'acme/web/never_defined' }, never)).toBe(false)
    })

    it('looks a block up that was sent twice, and has it', async () => {
      const block = blockOf('b-3', rowsOf(5))
      await node.insert(block, never)
      if (!(await node.hasBlock(block, never))) await node.insert(block, never)
      expect(await count('b-3')).toBe(5)
    })

    it.each([
      ['an unknown column', '{"at":1796081400,"colour":"red"}'],
      ['a text for a number', '{"at":1796081400,"ms":"fast"}'],
      ['a date that is none', '{"at":"yesterday"}'],
      ['its own _block', '{"at":1796081400,"_block":"b-1"}'],
      ['half a row', '{"at":1796081400,'],
    ])('refuses a block with %s as its data source’s fault, and writes none of it', async (what, row) => {
      const block = blockOf(`bad ${what}`, [...rowsOf(2000), row])
      const error = await node.insert(block, never).catch((it) => it)
      expect(error).toBeInstanceOf(InsertError)
      expect(error.fault).toBe('source')
      expect(await count(block.id)).toBe(0)
    })

    it('sends no block of a partition that is none', async () => {
      const block = { ...blockOf('p', rowsOf(1)), partition: '2026-11-30' }
      const error = await node.insert(block, never).catch((it) => it)
      expect(error).toMatchObject({ name: 'InsertError', fault: 'source' })
      expect(error.message).toMatch(/partition "2026-11-30" must be as 20261130 by day/)
      expect(await node.hasBlock(block, never)).toBe(false)
      expect(await count('p')).toBe(0)
    })

    it('changes nothing where a table fits, and adds columns where it lacks some', async () => {
      const grown = { ...clicks, columns: [...clicks.columns, { name: 'path', type: 'String' } as const] }
      await node.define(clicks, never)
      await node.define(grown, never)
      await node.define(clicks, never)
      await node.insert(blockOf('b-path', ['{"at":1796081400,"path":"/a"}']), never)
      expect(await rows(`SELECT path FROM clicks WHERE _block = 'b-path'`)).toEqual([{ path: '/a' }])
      expect(await rows(`SELECT path FROM clicks WHERE _block = 'b-2' LIMIT 1`)).toEqual([{ path: '' }])
    })

    it.each([
      ['a column’s type', { columns: [...clicks.columns.slice(0, 2), { name: 'ms', type: 'String' as const }] }, 'ms'],
      ['the partition', { partition: { column: 'at', by: 'month' as const } }, 'partition'],
      ['the order', { orderBy: ['at'] }, 'order_by'],
    ])('refuses to change %s, and changes nothing', async (_, change, field) => {
      const added = { name: 'never_added', type: 'String' as const }
      const other = { ...clicks, ...change }
      const error = await node.define({ ...other, columns: [...other.columns, added] }, never).catch((it) => it)
      expect(error).toBeInstanceOf(SchemaConflictError)
      expect(error.field).toBe(field)
      await expect(rows('SELECT never_added FROM clicks')).rejects.toThrow(EngineError)
    })

    it.each([
      ['source', { source: 'acme/web/Robert`; DROP' }],
      ['column', { columns: [{ name: 'a` Int8) --', type: 'Int8' as const }] }],
      ['order_by', { orderBy: ['big'] }],
      ['partition.column', { partition: { column: 'user', by: 'day' as const } }],
    ])('takes no definition with a %s that no table can have', async (_, change) => {
      await expect(node.define({ ...clicks, ...change }, never)).rejects.toThrow(TypeError)
    })

    it('tells the parts of the partition that has most', async () => {
      const own: TableDefinition = { ...clicks, source: 'acme/web/parts' }
      await node.define(own, never)
      expect(await node.activeParts(own.source, never)).toEqual({ active: 0, partsToDelayInsert: expect.any(Number) })
      for (const id of ['1', '2', '3']) await node.insert(blockOf(id, rowsOf(1), own.source), never)
      const parts = await node.activeParts(own.source, never)
      expect(parts?.active).toBeGreaterThanOrEqual(1) // they may be merged already
      expect(parts?.active).toBeLessThanOrEqual(3)
      expect(parts?.partsToDelayInsert).toBeGreaterThanOrEqual(100)
      expect(await node.activeParts('acme/web/never_defined', never)).toBeNull()
    })

    it.each([
      [`' OR 1=1 --`],
      [`\\' OR 1=1 --`],
      ['\\'],
      [`x'); DROP TABLE clicks; --`],
      ['{other:String}'],
      ['a\tb\nc\0d\\N'],
      ['😀é'],
    ])('binds %j as a value and as nothing else', async (text) => {
      const sql = `SELECT {text:String} AS text, length('{text:String}') AS quoted, {n:UInt8} AS n`
      expect(await rows(sql, { text, n: '7', other: 'no' })).toEqual([{ text, quoted: '13', n: 7 }])
    })

    it('binds a value of each type that a pipe may have, as the value it is', async () => {
      const largest = {
        ...{ Int8: '-128', Int16: '-32768', Int32: '-2147483648', Int64: '-9223372036854775808', UInt8: '255' },
        ...{
          UInt16: '65535',
          UInt32: '4294967295',
          UInt64: '18446744073709551615',
          Float32: '-1.5',
          Float64: '1e+300',
        },
        ...{ Date: '2026-01-01', DateTime: '1767268800', String: "'" },
      }
      const types = Object.keys(largest)
      const columns = types.map((type) => `toString({p_${type.toLowerCase()}:${type}}) AS ${type}`)
      const params = Object.fromEntries(Object.entries(largest).map(([type, it]) => [`p_${type.toLowerCase()}`, it]))
      const [row] = await rows(`SELECT ${columns.join(', ')}`, params)
      expect(row).toEqual({ ...largest, Float64: '1e300', DateTime: expect.any(String) }) // in the server's zone
      const [moments] = await rows(
        'SELECT toUInt32({t:DateTime}) AS t, toUInt32({old:DateTime}) AS old, 5 -{n:Int8} AS minus, ' +
          "toDateTime('2026-01-01 12:00:00', 'UTC') = {t:DateTime} AS same FROM (SELECT 1) LIMIT {some:UInt8}",
        { t: '1767268800', old: '0000000005', n: '-3', some: '1' },
      )
      expect(moments).toEqual({ t: 1_767_268_800, old: 5, minus: expect.anything(), same: 1 })
      expect(Number(moments?.minus)).toBe(8)
    })

    it('takes no number that is SQL', async () => {
      await expect(rows('SELECT {n:UInt8} AS n', { n: '1 OR 1' })).rejects.toThrow()
      await expect(rows('SELECT {d:Date} AS d', { d: `2026-11-30', 1, '` })).rejects.toThrow()
    })

    it('keeps namespaces apart, also of names that look alike', async () => {
      for (const namespace of ['acme/Web', 'acme/w.eb', 'acme_/web']) {
        const source = `${namespace}/clicks`
        await node.define({ ...clicks, source }, never)
        await node.insert(blockOf(`of ${namespace}`, rowsOf(1), source), never)
        expect(await rows('SELECT DISTINCT _block AS b FROM clicks', {}, namespace)).toEqual([{ b: `of ${namespace}` }])
      }
      // The session that served them is anybody's again.
      const { body } = await node.query({ sql: 'SELECT currentDatabase() AS db', params: {}, timeoutMs: 1000 }).answer
      expect(JSON.parse(body).data).toEqual([{ db: 'default' }])
    })

    it('says what a read took, and lets it write nothing', async () => {
      const answer = await node.query({ sql: 'SELECT 1 AS one', params: {}, timeoutMs: 1000 }).answer
      expect(answer.rows).toBe(1)
      const { node_elapsed, elapsed } = JSON.parse(answer.body).statistics
      expect(node_elapsed).toBeGreaterThan(elapsed)
      const insert = { sql: `INSERT INTO s_acme__web.clicks (user) VALUES ('x')`, params: {}, timeoutMs: 1000 }
      await expect(node.query(insert).answer).rejects.toMatchObject({ clickhouseCode: 164 })
      // For a tenant an engine may look at its rights first.
      const { clickhouseCode } = await node.query({ ...insert, namespace: 'acme/web' }).answer.then(
        () => ({ clickhouseCode: 0 }),
        (error: EngineError) => error,
      )
      expect([164, 497]).toContain(clickhouseCode)
    })

    it('kills a read that takes too long, and one that nobody waits for', async () => {
      const sql = 'SELECT count(sleepEachRow(0.1)) AS slept FROM numbers(25) SETTINGS max_block_size = 1'
      const late = node.query({ sql, params: {}, timeoutMs: 100 })
      const left = new AbortController()
      const gone = node.query({ sql, params: {}, timeoutMs: 60_000, signal: left.signal })
      const enough = new AbortController()
      const whole = node.query({ sql, params: {}, timeoutMs: 60_000, signal: enough.signal })
      const first = Promise.race([
        Promise.all([late.ended, gone.ended]).then(() => 'those that are killed'),
        whole.answer.then(() => 'one that is not'),
      ])
      await expect(late.answer).rejects.toThrow(QueryTimeoutError)
      left.abort(new Error('left'))
      await expect(gone.answer).rejects.toThrow('left')
      expect(await first).toBe('those that are killed')
      enough.abort(new Error('enough'))
      await expect(whole.answer).rejects.toThrow('enough')
      await whole.ended
    })

    it('ends an insert with its signal, and knows for good what became of it', async () => {
      const block = blockOf('b-aborted', rowsOf(10), slow.source)
      const gone = new Error('gone')
      const ending = new AbortController()
      const inserted = node.insert(block, ending.signal)
      setTimeout(() => ending.abort(gone), 150)
      await expect(inserted).rejects.toBe(gone)
      const isThere = await node.hasBlock(block, never)
      const found = await count(block.id, 'slow')
      expect(found).toBe(isThere ? 10 : 0)
      await sleep(1200) // it would have been written by then
      expect(await count(block.id, 'slow')).toBe(found)
    })

    it('never sends what is given up before it begins', async () => {
      const block = blockOf('b-never', rowsOf(1))
      await expect(node.insert(block, AbortSignal.abort(new Error('gone')))).rejects.toThrow()
      expect(await node.hasBlock(block, never)).toBe(false)
    })

    it('knows after a crash under inserts which blocks it has, and has them whole', async () => {
      const blocks = Array.from({ length: 6 }, (_, n) => blockOf(`crash-${n}`, rowsOf(n < 4 ? 5000 : 10)))
      const kept = blockOf('crash-kept', rowsOf(100))
      await node.insert(kept, never)
      const slowOnes = blocks.map((it, n) => (n < 4 ? it : { ...it, source: slow.source }))
      const outcomes = Promise.all(
        slowOnes.map((it) =>
          node.insert(it, never).then(
            () => 'written',
            (error) => (error instanceof InsertError ? 'not written' : 'nobody knows'),
          ),
        ),
      )
      await sleep(60)
      await it_.crash()
      const told = await outcomes
      expect(told.slice(4)).not.toContain('written') // they take a second
      await until('it is back', () => node.ping(never).then(() => true))
      expect(await node.hasBlock(kept, never)).toBe(true)
      expect(await count(kept.id)).toBe(100)
      for (const [n, block] of slowOnes.entries()) {
        const isThere = await node.hasBlock(block, never)
        const found = await count(block.id, n < 4 ? 'clicks' : 'slow')
        expect(found).toBe(isThere ? block.count : 0)
        if (told[n] === 'written') expect(isThere).toBe(true)
        if (told[n] === 'not written') expect(isThere).toBe(false)
      }
    })
  })
}
