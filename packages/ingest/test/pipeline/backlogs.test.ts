import { DroppedError } from '@sluice/ingest'
import { expect, test } from 'vitest'
import { named, stand } from './stand.js'

test('a paused data source is accepted and not written, listed with what waits, and written once resumed', async () => {
  const it = await stand()
  const { clock, one, pipeline } = it
  pipeline.backlogs.pause('a')
  await it.send('a', ['1'], 'cold')
  await it.send('a', ['2', '3'], 'hot')
  await it.send('b', ['4'])
  expect((await it.send('a', [])).state).toBe('delayed')
  await clock.advance(90_000)
  expect(one.rows).toEqual(['4'])
  expect(pipeline.backlogs.list()).toMatchObject([
    {
      ...{ source: 'a', isPaused: true, rows: 3, bytes: it.spool.backlog('a').bytes, unknownBlocks: 0 },
      ...{ oldestAtMs: clock.wallNow() - 90_000, hottest: { partition: 'hot', rows: 2 }, state: 'flowing' },
    },
  ])
  await it.restart({ saved: JSON.parse(JSON.stringify(pipeline.snapshot())) })
  await clock.advance(3000)
  expect(one.rows).toEqual(['4'])
  it.pipeline.backlogs.resume('a')
  await clock.advance(100)
  expect(one.rows).toEqual(['4', '2', '3', '1']) // the hottest first
  expect(it.pipeline.notices.list().notices).toEqual([])
})

test('once pausing has fulfilled nothing of it is written: what was under way is waited for', async () => {
  const it = await stand(['n1'], { maxRows: 1 })
  const { clock, one, pipeline } = it
  one.insertMs = () => 400
  await it.send('a', ['1', '2', '3', '4'])
  await clock.advance(100)
  expect(pipeline.backlogs.read('a')).toMatchObject({ blocksUnderWay: 2, unknownBlocks: 0, isPaused: false })
  const pausing = pipeline.backlogs.pause('a')
  await clock.advance(299)
  expect([one.rows, pipeline.backlogs.read('a').isPaused]).toEqual([[], true])
  expect(await clock.run(pausing)).toBe(0)
  expect([clock.now() - (one.writtenAtMs[0] ?? 0), one.rows]).toEqual([0, ['1', '2']])
  await clock.advance(100_000)
  expect([one.rows, pipeline.backlogs.read('a')]).toMatchObject([['1', '2'], { rows: 2, blocksUnderWay: 0 }])
})

test('pausing waits so long and no longer, and says how many blocks may be written yet', async () => {
  const it = await stand(['n1'], { insertTimeoutMs: 5000 })
  const { clock, one, pipeline } = it
  one.fate = () => 'hangs'
  await it.send('a', ['1'])
  await clock.advance(1000)
  const sinceMs = clock.now()
  expect(await clock.run(pipeline.backlogs.pause('a', 2000))).toBe(1)
  expect(clock.now() - sinceMs).toBe(2000)
  expect(await clock.run(pipeline.backlogs.pause('a'))).toBe(0)
  expect(clock.now() - sinceMs).toBe(5000)
  // Nobody knows of it, and until somebody looks its node may write it.
  expect(pipeline.backlogs.read('a')).toMatchObject({ rows: 1, blocksUnderWay: 0, unknownBlocks: 1 })
  await clock.advance(10_000)
  expect(one.lookedUp).toEqual([])
  one.fate = () => undefined
  pipeline.backlogs.resume('a')
  await clock.advance(2000)
  expect([one.lookedUp, one.rows]).toEqual([['b1'], ['1']])
  expect(pipeline.backlogs.read('a')).toMatchObject({ rows: 0, blocksUnderWay: 0, unknownBlocks: 0 })
})

test('draining begins with the hottest partition, and leaves none for ever', async () => {
  const it = await stand(['n1'], { maxPerSource: 1, maxRows: 10 })
  it.pipeline.backlogs.pause('a')
  for (const [partition, count] of [
    ['p1', 1],
    ['p20', 20],
    ['p5', 5],
  ] as const)
    await it.send('a', named(partition, count), partition)
  await it.clock.advance(2000)
  it.pipeline.backlogs.resume('a')
  await it.clock.advance(10)
  await it.send('a', named('new', 10), 'p20')
  await it.clock.advance(2000)
  expect(it.one.blocks.map(({ partition, count }) => [partition, count])).toEqual([
    ['p20', 10],
    ['p5', 5],
    ['p1', 1],
    ['p20', 10],
    ['p20', 10],
  ])
})

test('a backlog is exported as it came, while it waits', async () => {
  const it = await stand()
  it.pipeline.backlogs.pause('a')
  await it.send('a', ['1', '2'], 'p')
  await it.send('a', ['3'], 'q')
  const rows: string[] = []
  for await (const { partition, row } of it.pipeline.backlogs.export('a')) rows.push(`${partition} ${row}`)
  expect(rows).toEqual(['p 1', 'p 2', 'q 3'])
})

test('of a request of which some rows are written, or under way, the others are exported', async () => {
  const it = await stand(['n1'], { maxPerSource: 1 })
  const { clock, one, pipeline } = it
  one.insertMs = () => 400
  const partitions = { p: ['1', '2', '3'], q: ['4'], r: ['5', '6'] }
  const events = Object.entries(partitions).flatMap(([partition, rows]) => rows.map((row) => ({ partition, row })))
  await pipeline.accept('a', events)
  const exported = async (): Promise<string[]> => {
    const rows: string[] = []
    for await (const { row } of pipeline.backlogs.export('a')) rows.push(row)
    return rows
  }
  expect(await exported()).toEqual(['1', '2', '3', '4', '5', '6'])
  await clock.advance(1100)
  expect([pipeline.backlogs.read('a').blocksUnderWay, await exported()]).toEqual([1, ['4', '5', '6']])
  await clock.run(pipeline.backlogs.pause('a'))
  expect([one.rows, await exported()]).toEqual([
    ['1', '2', '3'],
    ['4', '5', '6'],
  ])
  await pipeline.accept('a', [{ partition: 'q', row: '7' }])
  expect(await exported()).toEqual(['4', '5', '6', '7'])
  expect(await clock.run(pipeline.backlogs.drop('a'))).toBe(4)
})

test('a drop waits for what is under way, and nothing of what it drops begins, whatever its owner says meanwhile', async () => {
  const it = await stand(['n1'], { maxRows: 1, maxPerSource: 1 })
  const { clock, one, pipeline } = it
  one.insertMs = () => 400
  await it.send('a', ['1', '2', '3'])
  await clock.advance(100)
  await clock.run(pipeline.backlogs.pause('a', 0))
  const dropping = [pipeline.backlogs.drop('a'), pipeline.backlogs.drop('a')]
  pipeline.backlogs.resume('a')
  expect(await clock.run(Promise.all(dropping))).toEqual([2, 0])
  expect(pipeline.notices.list().notices).toMatchObject([{ reason: 'its owner dropped a backlog of 2 rows' }])
  expect(pipeline.backlogs.read('a')).toMatchObject({ isPaused: false, rows: 0 })
  await it.send('a', ['4'])
  await clock.advance(2000)
  expect(one.rows).toEqual(['1', '4'])
  await clock.run(pipeline.backlogs.pause('a', 0))
  await it.send('a', ['5'])
  expect(await clock.run(pipeline.backlogs.drop('a'))).toBe(1)
  expect(pipeline.notices.list().notices.at(-1)?.reason).toBe('its owner dropped a backlog of 1 row')
})

test('a backlog is dropped by its owner alone: for good, also after a crash, and with a notice', async () => {
  const it = await stand()
  const { clock, pipeline } = it
  it.one.fate = () => 'refused'
  const { written } = await it.send('a', ['1', '2'])
  const waiting = expect(written()).rejects.toBeInstanceOf(DroppedError)
  await it.send('b', ['3'])
  await clock.advance(1500)
  await it.send('a', ['4']) // still gathered
  expect(await clock.run(pipeline.backlogs.drop('a'))).toBe(3)
  await waiting
  const { notices } = pipeline.notices.list()
  expect(notices).toMatchObject([{ source: 'a', state: 'flowing', reason: 'its owner dropped a backlog of 3 rows' }])
  it.one.fate = () => undefined
  await it.send('a', ['5'])
  await it.restart()
  await clock.advance(100_000)
  expect([...it.one.rows].sort()).toEqual(['3', '5'])
  expect(it.disk.records.size).toBe(0)
})

test('a data source is sent to another node by its owner, and back; what waits for it goes along', async () => {
  const it = await stand(['n1', 'n2'])
  const { backlogs } = it.pipeline
  backlogs.reroute('a', 'n1')
  it.one.insertMs = () => 400
  await it.send('a', ['1'])
  await it.clock.advance(1100)
  await it.send('a', ['2'])
  backlogs.reroute('a', 'n2')
  await it.clock.advance(2000)
  expect([it.one.rows, it.two.rows]).toEqual([['1'], ['2']])
  expect(it.pipeline.snapshot().routes).toEqual([['a', 'n2']])
  backlogs.reroute('a', null)
  expect(it.pipeline.snapshot().routes).toEqual([])
  expect(() => backlogs.reroute('a', 'n9')).toThrow('one of n1, n2')
})

test('what it knows is told of those data sources that are wanted, and of no others', async () => {
  const it = await stand(['n1', 'n2'])
  for (const source of ['a/clicks', 'b/clicks']) {
    await it.send(source, ['1'])
    await it.clock.advance(2000)
    it.pipeline.backlogs.pause(source)
    it.pipeline.backlogs.reroute(source, 'n1')
    await it.send(source, ['2'])
  }
  const { guard, ...others } = it.pipeline.snapshot((source) => source.startsWith('b/'))
  expect(others).toEqual({ paused: ['b/clicks'], routes: [['b/clicks', 'n1']] })
  expect([guard.breaker, guard.limits].map((all) => all.map(([source]) => source))).toEqual([
    ['b/clicks'],
    ['b/clicks'],
  ])
  const all = it.pipeline.snapshot()
  expect(all.guard.breaker.find(([source]) => source === 'b/clicks')).toEqual(guard.breaker[0])
  expect([all.paused, all.guard.breaker.length]).toEqual([['a/clicks', 'b/clicks'], 2])
})
