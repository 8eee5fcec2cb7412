import { VirtualClock } from '@sluice/core/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checksumOf } from '../../src/pipeline/chunk.js'
import { PartitionChunks } from '../../src/pipeline/partition-chunks.js'
import { encodePayload } from '../../src/pipeline/payload.js'
import { type ReplayedRecord, replay } from '../../src/pipeline/replay.js'
import { bytesOf, textOf } from '../spool/folders.js'
import { MemorySpool } from './memory-spool.js'
import { named, stand } from './stand.js'

const BOUNDS = { maxRows: 10, maxBytes: 1e6 }

test('I4: what was left of a batch with very many partitions and as many blocks is taken up in one walk', async () => {
  const spool = new MemorySpool(new VirtualClock())
  const partitions = named('p', 30_000)
  const sequence = await spool.append(
    'a',
    encodePayload(partitions.map((partition) => ({ partition, row: partition }))).pieces,
  )
  const claim = { source: 'a', node: 'n1', rows: [[sequence, 0, 1] as const] }
  for (const partition of partitions.slice(10)) await spool.claim({ ...claim, id: `b-${partition}`, partition })
  await spool.done([...spool.disk.claims.keys()].slice(20))
  const next = new MemorySpool(new VirtualClock(), spool.disk)
  const records: ReplayedRecord[] = []
  const blocks = await replay(next, BOUNDS, 0, (record) => void records.push(record))
  expect(records).toMatchObject([{ left: 30, pieces: 30 }])
  expect(records[0]?.chunks.map(({ partition }) => partition)).toEqual(partitions.slice(0, 10))
  expect(blocks.map(({ partition, chunks }) => [partition, chunks.length])).toEqual(
    partitions.slice(10, 30).map((partition) => [partition, 1]),
  )
})

test('I4: of each row a replay knows where it lies, whatever blocks have those beside it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 60 }),
      fc.uniqueArray(fc.nat(60), { maxLength: 8 }),
      fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      async (count, points, areDone) => {
        const spool = new MemorySpool(new VirtualClock())
        const rows = named('row', count)
        const { pieces } = encodePayload([
          { partition: 'other', row: 'x' },
          ...rows.map((row) => ({ partition: 'p', row })),
        ])
        const payload = Buffer.concat(pieces)
        const sequence = await spool.append('a', pieces)
        const cuts = points.filter((point) => point <= count).sort((a, b) => a - b)
        const written = new Set<number>()
        for (let i = 0; i + 1 < cuts.length; i += 2) {
          const [from = 0, to = 0] = [cuts[i], cuts[i + 1]]
          const claim = { id: `b${i}`, source: 'a', partition: 'p', node: 'n1', rows: [[sequence, from, to] as const] }
          const number = await spool.claim(claim)
          if (areDone[i]) await spool.done([number])
          for (let row = from; areDone[i] && row < to; row++) written.add(row)
        }
        const next = new MemorySpool(new VirtualClock(), spool.disk)
        const records: ReplayedRecord[] = []
        const blocks = await replay(next, BOUNDS, 0, (record) => void records.push(record))
        const chunks = [...records.flatMap((it) => it.chunks), ...blocks.flatMap((it) => it.chunks)]
        const found = chunks.flatMap(({ partition, offset, bytes, checksum }) => {
          const lines = payload.subarray(offset, offset + bytes)
          expect(checksumOf(lines)).toBe(checksum)
          return partition === 'p' ? textOf(lines).split('\n') : []
        })
        for (const { from, to } of records.flatMap((it) => it.chunks)) expect(to - from).toBeLessThanOrEqual(10)
        expect(found.sort()).toEqual(rows.filter((_, i) => !written.has(i)).sort())
        expect(records).toMatchObject([{ pieces: chunks.length, left: count + 1 - written.size }])
      },
    ),
    { numRuns: 200 },
  )
})

test('I4: of a record in the spool a block reads its own rows and no more; what is not as it was is not sent', async () => {
  const { clock, one, pipeline, spool, disk, errors } = await stand(['n1'], { maxMemoryBytes: 0 })
  const rows = named('r', 500).map((name) => `${name}-${'x'.repeat(100)}`)
  await pipeline.accept(
    'a',
    rows.map((row, i) => ({ partition: `p${i % 50}`, row })),
  )
  await pipeline.accept(
    'b',
    ['first', 'second'].map((row) => ({ partition: row, row })),
  )
  const [, [sequence, record] = [0, undefined]] = [...disk.records]
  if (!record) throw new Error('there are not two records')
  const payload = bytesOf(textOf(record.payload).replace(/second$/, 'sEcond'))
  disk.records.set(sequence, { ...record, payload })
  await clock.advance(5000)
  expect(one.rows.length).toBe(501)
  expect(one.rows).toEqual(expect.arrayContaining([...rows, 'first']))
  const all = rows.reduce((sum, row) => sum + row.length + 1, 0)
  expect(spool.bytesRead).toBeLessThan(all + 200)
  expect(errors[0]).toContain('the spool has no rows 0 to 1 of record 2 as they were: its disk gives others')
  expect(pipeline.backlogs.read('b').rows).toBe(1)
})

test('counts by partition are those of the chunks, whatever comes, is taken and is dropped', () => {
  const act = fc.oneof(
    fc.record({ does: fc.constant('push' as const), partition: fc.nat(5), count: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ does: fc.constant('take' as const), partition: fc.nat(5), count: fc.constantFrom(1, 5, 20) }),
    fc.record({ does: fc.constant('drop' as const), partition: fc.nat(3), count: fc.constant(0) }),
  )
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const chunks = new PartitionChunks()
      for (const [i, { does, partition, count }] of acts.entries()) {
        const own = { partition: `p${partition}`, from: 0, to: count, offset: 0, bytes: 7 * count, checksum: 0 }
        if (does === 'push') chunks.push({ ...own, sequence: i % 4, lines: null })
        else if (does === 'take') chunks.take(`p${partition}`, { maxRows: count, maxBytes: 1e6 })
        else chunks.drop(new Set([partition]))
        const rows = new Map<string, number>()
        for (const { partition: name, to } of chunks.all()) rows.set(name, (rows.get(name) ?? 0) + to)
        const sum = [...rows.values()].reduce((one, other) => one + other, 0)
        expect([chunks.size, chunks.rows, chunks.bytes]).toEqual([rows.size, sum, 7 * sum])
        expect(chunks.hottest?.rows ?? 0).toBe(Math.max(0, ...rows.values()))
        if (chunks.hottest) expect(rows.get(chunks.hottest.partition)).toBe(chunks.hottest.rows)
        expect(chunks.byHeat().map((name) => rows.get(name))).toEqual([...rows.values()].sort((a, b) => b - a))
      }
    }),
  )
})
