import { retryAfterSeconds } from '@sluice/ingest'
import { describe, expect, test } from 'vitest'
import { bytesOf } from '../spool/folders.js'
import { named, stand } from './stand.js'

describe('I1, I4: from an event to a block', () => {
  test('what is accepted is on disk, and is written with one insert for each partition', async () => {
    const { clock, one: node, disk, pipeline } = await stand()
    const events = [
      { partition: 'may', row: '{"n":1}' },
      { partition: 'june', row: '{"n":2}' },
      { partition: 'may', row: '{"n":3}' },
    ]
    const verdict = await pipeline.accept('clicks', events)
    expect(verdict).toMatchObject({ status: 202, accepted: 3, quarantined: 0, state: 'buffered', untilMs: null })
    expect(disk.records.size).toBe(1)
    let isWritten = false
    if (verdict.status === 202) void verdict.written().then(() => (isWritten = true))
    await clock.advance(999)
    expect(node.blocks).toEqual([])
    await clock.advance(1)
    expect(isWritten).toBe(false)
    await clock.advance(20)
    expect(node.blocks).toEqual([
      { id: 'b1', source: 'clicks', partition: 'may', count: 2, pieces: [bytesOf('{"n":1}\n{"n":3}')] },
      { id: 'b2', source: 'clicks', partition: 'june', count: 1, pieces: [bytesOf('{"n":2}')] },
    ])
    expect([isWritten, disk.records.size, pipeline.backlogs.list()]).toEqual([true, 0, []])
  })

  test('each data source has its own flush interval, also where another’s longer one runs already', async () => {
    const flushIntervalMs = (source: string): number => (source === 'soon' ? 100 : 1000)
    const { clock, one, send } = await stand(['n1'], { flushIntervalMs })
    await send('later', ['1'])
    await clock.advance(300)
    await send('soon', ['2'])
    await clock.advance(120)
    expect(one.rows).toEqual(['2'])
    await clock.advance(600)
    expect(one.rows).toEqual(['2', '1'])
  })

  test('more than a block may have is cut, and none of it is lost', async () => {
    const { clock, one: node, send } = await stand(['n1'], { maxRows: 10, maxPerSource: 1 })
    await send('a', named('r', 25))
    await clock.advance(2000)
    expect(node.rows).toEqual(named('r', 25))
    expect(node.blocks.map(({ count }) => count)).toEqual([8, 8, 9])
  })

  test('while as many are under way as may be, the next block is claimed; less than a block waits for more', async () => {
    const { clock, one: node, send, disk, pipeline } = await stand(['n1'], { maxRows: 10, maxPerSource: 1 })
    node.insertMs = () => 3000
    await send('a', named('r', 20))
    await send('a', named('s', 9))
    await clock.advance(2000)
    const claimed = (): string[] => [...disk.claims.values()].map(({ id }) => id)
    expect([node.attempts, claimed()]).toEqual([1, ['b1', 'b2']])
    expect(pipeline.backlogs.read('a')).toMatchObject({ rows: 29, unknownBlocks: 0 })
    await clock.advance(2000)
    expect([node.attempts, claimed()]).toEqual([2, ['b1', 'b2']]) // nine rows are due
    await clock.advance(6000)
    expect(node.rows).toEqual([...named('r', 20), ...named('s', 9)])
  })

  test('as many blocks are claimed ahead as may be under way, and no more', async () => {
    const { clock, one: node, send, disk } = await stand(['n1'], { maxRows: 10, maxPerSource: 2 })
    node.insertMs = () => 3000
    for (let i = 0; i < 6; i++) await send('a', named(`r${i}-`, 10))
    await clock.advance(1000)
    expect([node.attempts, disk.claims.size]).toEqual([2, 4])
    await clock.advance(3000)
    expect([node.attempts, disk.claims.size]).toEqual([4, 6])
    await clock.advance(6000)
    expect(node.rows.length).toBe(60)
  })

  test('what is claimed ahead is dropped with the rest', async () => {
    const { clock, one: node, send, disk, pipeline } = await stand(['n1'], { maxRows: 10, maxPerSource: 1 })
    await send('a', named('r', 30))
    await clock.advance(5)
    expect(disk.claims.size).toBe(2)
    expect(await clock.run(pipeline.backlogs.drop('a'))).toBe(20)
    await clock.advance(2000)
    expect(node.rows).toEqual(named('r', 10))
    expect([...disk.claims.values()].map(({ isDone }) => isDone)).toEqual([true, true])
  })

  test('without any memory for rows they are read from the spool', async () => {
    const { clock, one: node, send } = await stand(['n1'], { maxMemoryBytes: 0, maxRows: 3 })
    await send('a', ['ä', '€', '𝄞', 'x'])
    await send('a', ['y'], 'q')
    await clock.advance(2000)
    expect([...node.rows].sort()).toEqual(['x', 'y', 'ä', '€', '𝄞'].sort())
  })

  test('a row that is no line, and bad rows without a quarantine, are refused whole', async () => {
    const { pipeline, disk } = await stand()
    await expect(pipeline.accept('a', [{ partition: 'p', row: 'x\ny' }])).rejects.toThrow(
      'events[0].row must be one line',
    )
    await expect(pipeline.accept('a', [], { bad: [{ row: 'x', reason: 'y' }] })).rejects.toThrow('option quarantine')
    expect(disk.records.size).toBe(0)
  })

  test('I5: bad rows are in quarantine before the others are acknowledged, and are counted', async () => {
    const kept: unknown[] = []
    const quarantine = async (...it: unknown[]): Promise<void> => void kept.push(it)
    const { pipeline } = await stand(['n1'], { quarantine })
    const bad = [{ row: '{"n":"x"}', reason: 'n is no number' }]
    expect(await pipeline.accept('a', [{ partition: 'p', row: '{}' }], { bad })).toMatchObject({
      accepted: 1,
      quarantined: 1,
    })
    expect(kept).toEqual([['a', bad]])
  })

  test('closing writes what is gathered, and leaves what it cannot write', async () => {
    const it = await stand()
    await it.send('a', ['1', '2'])
    it.pipeline.backlogs.pause('b')
    const { written } = await it.send('b', ['3'])
    const waiting = expect(written()).rejects.toThrow('the next process writes them')
    expect(await it.clock.run(it.pipeline.close())).toEqual({ rowsLeft: 1 })
    await waiting
    expect(it.one.rows).toEqual(['1', '2'])
    expect([it.clock.pending(), it.spool.isClosed]).toEqual([0, true])
    expect(await it.pipeline.accept('a', [])).toMatchObject({ status: 503, reason: 'closing', retryAfterMs: 1000 })
    await it.restart()
    await it.clock.advance(100)
    expect(it.one.rows).toEqual(['1', '2', '3'])
  })
})

describe('I4: a block of which nobody knows', () => {
  test.each([
    ['lost_after', 1, 1],
    ['lost_before', 1, 2],
  ] as const)(
    'the connection is %s it is written: it is looked up, and sent only if it is not there',
    async (fate, lookUps, attempts) => {
      const { clock, one: node, send, disk, pipeline } = await stand()
      node.fate = () => (node.attempts === 1 ? fate : undefined)
      await send('a', ['1', '2'])
      await clock.advance(5000)
      expect(node.rows).toEqual(['1', '2'])
      expect([node.lookedUp.length, node.attempts, disk.records.size]).toEqual([lookUps, attempts, 0])
      expect(pipeline.backlogs.read('a').maybeDuplicatedRows).toBe(0)
    },
  )

  test('an insert that hangs is ended before it is sent again, so that it is not written twice', async () => {
    const { clock, one: node, send, disk } = await stand()
    node.fate = () => (node.attempts === 1 ? 'hangs' : undefined)
    await send('a', ['1'])
    await clock.advance(30_000)
    expect(node.rows).toEqual([])
    await clock.advance(200_000)
    expect([node.rows, disk.records.size]).toEqual([['1'], 0])
  })

  test('waits while its only node cannot be reached, however long', async () => {
    const { clock, one: node, send, pipeline, disk } = await stand()
    node.fate = () => 'lost_after'
    await send('a', ['1'])
    await clock.advance(1010)
    node.isUp = false
    await clock.advance(20)
    node.fate = () => undefined
    for (let i = 0; i < 300; i++) {
      await send('a', [`later ${i}`])
      await clock.advance(1000)
    }
    expect(pipeline.backlogs.read('a')).toMatchObject({
      rows: 301,
      unknownBlocks: 1,
      maybeDuplicatedRows: 0,
      state: 'flowing',
    })
    expect(await send('a', [])).toMatchObject({ state: 'delayed', untilMs: null })
    node.isUp = true
    await clock.advance(5000)
    expect(node.rows.length).toBe(301)
    expect([new Set(node.rows).size, disk.records.size]).toEqual([301, 0])
  })

  test('goes elsewhere after thirty seconds, not before, and is counted', async () => {
    const { clock, one, two, send, pipeline } = await stand(['n1', 'n2'])
    pipeline.backlogs.reroute('a', 'n1')
    one.fate = () => 'lost_after'
    await send('a', ['1', '2'])
    await clock.advance(1010)
    one.isUp = false
    await clock.advance(30_000)
    expect([two.rows, pipeline.backlogs.read('a').maybeDuplicatedRows]).toEqual([[], 0])
    await clock.advance(2500)
    expect([one.rows, two.rows]).toEqual([
      ['1', '2'],
      ['1', '2'],
    ])
    expect(two.blocks[0]?.id).toBe(one.blocks[0]?.id)
    expect(pipeline.backlogs.read('a')).toMatchObject({ maybeDuplicatedRows: 2, rows: 0 })
  })

  test('of which a node says that it refused it is known, and goes elsewhere uncounted', async () => {
    const { clock, one, two, send, pipeline } = await stand(['n1', 'n2'])
    pipeline.backlogs.reroute('a', 'n1')
    one.fate = () => 'no_connection'
    one.isUp = false
    await send('a', ['1'])
    await clock.advance(9000)
    expect([one.rows, two.rows, pipeline.backlogs.read('a').maybeDuplicatedRows]).toEqual([[], ['1'], 0])
    expect(pipeline.router.read()[0]?.state).toBe('ejected')
  })

  test('is looked up on every node where it may be, once that is back', async () => {
    const it = await stand(['n1', 'n2'])
    const { one, two } = it
    it.pipeline.backlogs.reroute('a', 'n1')
    one.fate = () => 'lost_after'
    await it.send('a', ['1'])
    await it.clock.advance(1010)
    one.isUp = false
    await it.clock.advance(20_000)
    await it.restart()
    await it.clock.advance(20_000) // the thirty seconds began anew
    expect(two.rows).toEqual([])
    one.isUp = true
    await it.clock.advance(2000)
    expect([one.rows, two.rows, it.disk.records.size]).toEqual([['1'], [], 0])
  })
})

test('a note is on disk with its batch, and is told to the process that finds it there, until all of it is written', async () => {
  const noted: unknown[] = []
  const it = await stand(['n1'], { noted: (...of) => void noted.push(of) })
  it.pipeline.backlogs.pause('a')
  const atMs = it.clock.wallNow()
  const events = [{ partition: 'p', row: '1' }]
  await it.pipeline.accept('a', events, { note: '{"key":"k"}' })
  await it.pipeline.accept('a', events)
  expect(noted).toEqual([])
  await it.restart()
  expect(noted).toEqual([['a', '{"key":"k"}', atMs]])
  await it.clock.advance(3000)
  expect(it.one.rows).toEqual(['1', '1'])
  await it.restart()
  expect(noted).toHaveLength(1)
})

describe('I5: bounds', () => {
  test('a backlog above its bytes is answered 429, and states when it will have drained', async () => {
    const { clock, one: node, send, pipeline } = await stand(['n1'], { bounds: { maxSourceBytes: 1000 } })
    for (let i = 0; i < 60; i++) {
      await send('a', ['x'.repeat(600)])
      await clock.advance(1100)
    }
    expect(node.rows.length).toBeGreaterThan(50)
    await send('a', ['x'.repeat(600)])
    const verdict = await pipeline.accept('a', [{ partition: 'p', row: 'x'.repeat(600) }])
    expect(verdict).toMatchObject({ status: 429, reason: 'source_bytes' })
    const seconds = retryAfterSeconds((verdict.status !== 202 && verdict.retryAfterMs) || 0)
    expect(seconds).toBe(1)
    expect(await pipeline.accept('b', [{ partition: 'p', row: 'x' }])).toMatchObject({ status: 202 })
    await clock.advance(1000 * seconds + 100)
    expect(await pipeline.accept('a', [{ partition: 'p', row: 'x'.repeat(600) }])).toMatchObject({ status: 202 })
  })

  test('what is on its way to the disk counts already', async () => {
    const { pipeline } = await stand(['n1'], { bounds: { maxSourceBytes: 1000 } })
    const batch = [{ partition: 'p', row: 'x'.repeat(600) }]
    const verdicts = await Promise.all([pipeline.accept('a', batch), pipeline.accept('a', batch)])
    expect(verdicts.map(({ status }) => status)).toEqual([202, 429])
  })

  test('where the disk fails nothing is acknowledged; where it fails later what is written is marked again', async () => {
    const it = await stand()
    it.spool.fails = true
    await expect(it.pipeline.accept('a', [{ partition: 'p', row: '1' }])).rejects.toThrow('EIO')
    it.spool.fails = false
    await it.send('a', ['2'])
    it.spool.fails = true
    await it.clock.advance(3000)
    expect(it.one.attempts).toBe(0) // unclaimed, so it was not sent
    it.spool.fails = false
    it.one.at = () => {
      it.spool.fails = true
    }
    await it.clock.advance(1500)
    expect([it.one.rows, it.disk.records.size]).toEqual([['2'], 1])
    it.spool.fails = false
    await it.clock.advance(1000)
    expect(it.disk.records.size).toBe(0)
    expect(it.errors.some((line) => line.startsWith('what is written could not be marked'))).toBe(true)
  })

  test('has bounds of its own for a data source that has them', async () => {
    const own = { maxSourceBytes: 40, maxSourceAgeMs: 5000 }
    const stood = await stand(['n1'], { sourceBounds: (source) => (source === 'small' ? own : {}) })
    const { pipeline, clock } = stood
    for (const source of ['small', 'large']) {
      pipeline.backlogs.pause(source)
      await stood.send(source, ['1'])
    }
    const events = [{ partition: 'p', row: '2'.repeat(30) }]
    expect(await pipeline.accept('small', events)).toMatchObject({ status: 429, reason: 'source_bytes' })
    expect(await pipeline.accept('large', events)).toMatchObject({ status: 202 })
    await clock.advance(5001)
    const little = [{ partition: 'p', row: '3' }]
    expect(await pipeline.accept('small', little)).toMatchObject({ status: 429, reason: 'source_age' })
    expect(await pipeline.accept('large', little)).toMatchObject({ status: 202 })
  })
})
