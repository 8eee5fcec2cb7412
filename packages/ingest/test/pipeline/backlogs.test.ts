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
