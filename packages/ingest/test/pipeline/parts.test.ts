import { VirtualClock } from '@sluice/core/testing'
import { Gatherer, IngestPipeline, Notices, Router } from '@sluice/ingest'
import { expect, test } from 'vitest'
import { MemorySpool } from './memory-spool.js'
import { ScriptedNode } from './scripted-node.js'
import { stand } from './stand.js'

test('a bad option is refused by its name', async () => {
  const clock = new VirtualClock()
  const [spool, nodes] = [new MemorySpool(clock), [new ScriptedNode('n1', clock)]]
  const start = (more: object): Promise<IngestPipeline> => IngestPipeline.start({ spool, nodes, clock, ...more })
  await expect(start({ maxPerNode: 0 })).rejects.toThrow(
    'IngestPipeline: maxPerNode must be an integer of at least 1; got 0',
  )
  await expect(start({ flushEveryMs: 1 })).rejects.toThrow('IngestPipeline: flushEveryMs must be left out')
  await expect(start({ nodes: [] })).rejects.toThrow('Router: nodes must be a list of at least one name')
  await expect(start({ breaker: { holdMs: 0 } })).rejects.toThrow('KeyedBreaker: holdMs')
  await expect(start({ limit: { growth: 0 } })).rejects.toThrow('TemporalLimit: growth')
  await expect(start({ bounds: { maxTotalBytes: 0 } })).rejects.toThrow('Bounds: maxTotalBytes')
  expect(clock.pending()).toBe(0)
})

test('I1: an entry that stands for several rows counts as so many', () => {
  const gatherer = new Gatherer<string>({ maxRows: 10, clock: new VirtualClock() })
  expect(gatherer.add('a', [{ partition: 'p', row: 'nine', bytes: 1, count: 9 }])).toEqual([])
  const [flush] = gatherer.add('a', [{ partition: 'p', row: 'one', bytes: 1 }])
  expect(flush?.rows).toEqual(['nine', 'one'])
  expect(() => gatherer.add('a', [{ partition: 'p', row: 'none', bytes: 1, count: 0 }])).toThrow('Gatherer.add: count')
})

test('I6: a route that may not be a probe leaves the probe to another', async () => {
  const clock = new VirtualClock()
  const router = new Router({ nodes: ['n1', 'n2'], clock })
  for (let i = 0; i < 5; i++) router.report({ node: 'n1', isProbe: false }, { isWritten: false })
  await clock.advance(30_000)
  expect(router.route('a', false)).toEqual({ node: 'n2', isProbe: false })
  expect(router.route('a')).toEqual({ node: 'n1', isProbe: true })
})

test('I7: what an owner did is a notice that changes no state', () => {
  const notices = new Notices({ clock: new VirtualClock(0) })
  notices.set('a', 'delayed', 'slow', 60_000)
  expect(notices.record('a', 'dropped')).toEqual({
    ...{ id: 2, atMs: 0, source: 'a', state: 'delayed', before: 'delayed', reason: 'dropped', untilMs: null },
  })
  expect(notices.stateOf('a')).toBe('delayed')
})

test('what nothing is known of any more is forgotten', async () => {
  const it = await stand()
  for (let i = 0; i < 200; i++) await it.send(`s${i}`, ['x'])
  await it.clock.advance(5000)
  expect(it.pipeline.snapshot().guard.limits.length).toBe(200) // what they drained counts for a minute
  await it.clock.advance(61_000)
  expect(it.pipeline.snapshot().guard.limits).toEqual([])
  expect(it.one.rows.length).toBe(200)
})

test('I6, I8: inserts that hang on a node that is gone keep their data source neither from another node nor fresh', async () => {
  const { clock, one, two, send, pipeline } = await stand(['n1', 'n2'])
  pipeline.backlogs.reroute('a', 'n1')
  one.fate = () => 'hangs'
  await send('a', ['p1'], 'p')
  await send('a', ['q1'], 'q')
  await clock.advance(1500)
  expect([one.attempts, two.attempts]).toEqual([2, 0]) // as many as one data source has under way
  one.isUp = false
  await clock.advance(7000) // five pings in vain
  const { written } = await send('a', ['p2'], 'p')
  let isWritten = false
  void written().then(() => {
    isWritten = true
  })
  await clock.advance(1500)
  expect([two.rows, isWritten]).toEqual([['p2'], true])
  // What hangs is old by no doing of its data source: its breaker stays closed.
  await clock.advance(15_000)
  expect(pipeline.notices.list().notices).toEqual([])
})
