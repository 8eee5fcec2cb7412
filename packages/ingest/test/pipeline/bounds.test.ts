import type { BatchVerdict, IngestEvent } from '@sluice/ingest'
import { describe, expect, test } from 'vitest'
import { named, stand } from './stand.js'

/** One row for each of so many partitions: so many pieces. */
const spread = (count: number, prefix = 'p'): IngestEvent[] =>
  named(prefix, count).map((partition) => ({ partition, row: 'x' }))
const told = (verdict: BatchVerdict): unknown => (verdict.status === 202 ? 202 : [verdict.status, verdict.reason])
const MINUTE_MS = 60_000

describe('I5: pieces', () => {
  test('beyond their bound are refused, those of others are not, and what is written or dropped makes room', async () => {
    const { clock, pipeline, spool } = await stand(['n1'], { bounds: { maxSourcePieces: 3 } })
    const accept = async (source: string, count: number) => told(await pipeline.accept(source, spread(count)))
    void pipeline.backlogs.pause('a')
    expect(await accept('a', 2)).toBe(202)
    expect(await accept('a', 2)).toEqual([429, 'source_pieces'])
    expect(await pipeline.accept('a', spread(4))).toEqual({ status: 429, reason: 'source_pieces', retryAfterMs: null })
    expect([await accept('b', 3), await accept('a', 1), await accept('a', 1)]).toEqual([
      202,
      202,
      [429, 'source_pieces'],
    ])
    expect(await clock.run(pipeline.backlogs.drop('a'))).toBe(3)
    spool.fails = true
    await expect(pipeline.accept('a', spread(3))).rejects.toThrow('EIO')
    spool.fails = false
    // Those that are on their way to the disk count already.
    const both = await Promise.all([accept('a', 2), accept('a', 2)])
    expect(both).toEqual([202, [429, 'source_pieces']])
    pipeline.backlogs.resume('a')
    await clock.advance(3000)
    expect([await accept('a', 3), await accept('b', 3)]).toEqual([202, 202])
  })

  test('a batch that is cut for several blocks is several; another process counts them as they are', async () => {
    const it = await stand(['n1'], { maxRows: 10, bounds: { maxSourcePieces: 6 } })
    void it.pipeline.backlogs.pause('a')
    await it.send('a', named('r', 50)) // five pieces of ten rows
    expect(told(await it.pipeline.accept('a', spread(2)))).toEqual([429, 'source_pieces'])
    await it.restart({ saved: it.pipeline.snapshot() })
    expect(told(await it.pipeline.accept('a', spread(2)))).toEqual([429, 'source_pieces'])
    expect(told(await it.pipeline.accept('a', spread(1)))).toBe(202)
    // What is there at the start is taken, however much it is.
    await it.restart({ saved: it.pipeline.snapshot(), bounds: { maxSourcePieces: 1 } })
    expect(it.pipeline.backlogs.read('a').rows).toBe(51)
    it.pipeline.backlogs.resume('a')
    await it.clock.advance(3000)
    expect([it.one.rows.length, told(await it.pipeline.accept('a', spread(1)))]).toEqual([51, 202])
  })

  test('of all together are bounded too', async () => {
    const { pipeline } = await stand(['n1'], { bounds: { maxTotalPieces: 3 } })
    expect(told(await pipeline.accept('a', spread(2)))).toBe(202)
    expect(told(await pipeline.accept('b', spread(2)))).toEqual([503, 'total_pieces'])
  })
})

describe('I5: one tenant', () => {
  test('has half of what may wait, the others have theirs', async () => {
    const tenantOf = (source: string): string => source.split('/')[0] ?? ''
    const options = { tenantOf, bounds: { maxTotalBytes: 2000 } }
    const it = await stand(['n1'], options)
    const batch = [{ partition: 'p', row: 'x'.repeat(400) }]
    const accept = async (source: string) => told(await it.pipeline.accept(source, batch))
    for (const source of ['t1/a', 't1/b', 't1/c', 't2/a']) void it.pipeline.backlogs.pause(source)
    expect([await accept('t1/a'), await accept('t1/b'), await accept('t1/c')]).toEqual([
      202,
      202,
      [429, 'tenant_bytes'],
    ])
    expect(await accept('t2/a')).toBe(202)
    await it.restart({ ...options, saved: it.pipeline.snapshot() })
    expect([await accept('t1/c'), await accept('t2/a')]).toEqual([[429, 'tenant_bytes'], 202])
    it.pipeline.backlogs.resume('t1/a')
    await it.clock.advance(3000)
    expect(await accept('t1/c')).toBe(202)
    const refused = await it.pipeline.accept('t1/c', batch)
    // What is too much drains as the tenant's did: one batch in the last minute.
    expect(refused).toMatchObject({ status: 429, reason: 'tenant_bytes', retryAfterMs: expect.closeTo(43_000, -4) })
  })

  test('has all of it where there are no tenants', async () => {
    const { pipeline } = await stand(['n1'], { bounds: { maxTotalBytes: 1000 } })
    const verdicts: unknown[] = []
    for (const source of ['t1/a', 't1/b', 't1/c'])
      verdicts.push(told(await pipeline.accept(source, [{ partition: 'p', row: 'x'.repeat(400) }])))
    expect(verdicts).toEqual([202, 202, [503, 'total_bytes']])
  })
})

describe('I5: the age in all', () => {
  test('is none of what its owner has paused, what its table refuses, or what is too old for its own bound', async () => {
    const sourceBounds = (source: string) => ({ maxSourceAgeMs: source === 'old' ? MINUTE_MS : 1000 * MINUTE_MS })
    const { clock, pipeline, one, send } = await stand(['n1'], {
      sourceBounds,
      bounds: { maxTotalAgeMs: 10 * MINUTE_MS },
    })
    one.fate = ({ source }) => (({ refused: 'refused', old: 'lost_before' }) as const)[source]
    void pipeline.backlogs.pause('paused')
    for (const source of ['paused', 'refused', 'old']) await send(source, ['1'])
    for (let minutes = 0; minutes < 15; minutes++) {
      await clock.advance(MINUTE_MS)
      expect(told(await pipeline.accept('b', spread(1)))).toBe(202)
    }
    expect(told(await pipeline.accept('old', spread(1)))).toEqual([429, 'source_age'])
    expect(told(await pipeline.accept('paused', spread(1)))).toBe(202)
    // Resumed it counts, until it is written.
    one.fate = () => 'resources'
    pipeline.backlogs.resume('paused')
    await clock.advance(1000)
    expect(told(await pipeline.accept('b', spread(1)))).toEqual([503, 'total_age'])
    one.fate = () => undefined
    await clock.advance(300_000)
    expect([told(await pipeline.accept('b', spread(1))), pipeline.backlogs.list()]).toMatchObject([
      202,
      [{ source: 'b' }],
    ])
  })
})
