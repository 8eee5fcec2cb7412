import { rowsOfBlock } from '@sluice/ingest'
import { describe, expect, test, vi } from 'vitest'
import { named, type Stand, stand } from './stand.js'

/** Writes a row of `a` each second for so long, and of `b`. */
async function flow(it: Stand, seconds: number, sources = ['a', 'b']): Promise<void> {
  for (let i = 0; i < seconds; i++) {
    for (const source of sources) await it.send(source, ['x'])
    await it.clock.advance(1000)
  }
}

describe('I2: a data source whose inserts are slow', () => {
  test('is delayed and told, and written all the same; another notices nothing', async () => {
    const it = await stand()
    const { clock, one, pipeline } = it
    await flow(it, 10)
    one.insertMs = ({ source }) => (source === 'a' ? 1500 : 20)
    await flow(it, 14)
    expect(pipeline.notices.list().notices).toMatchObject([
      { source: 'a', state: 'delayed', before: 'flowing', reason: 'its inserts take much longer than they did' },
    ])
    const verdict = await it.send('a', ['late'])
    expect(verdict.state).toBe('delayed')
    const [notice] = pipeline.notices.list().notices
    expect(verdict.untilMs).toBe(notice?.untilMs)
    const attempts = one.attempts
    await clock.advance((verdict.untilMs ?? 0) - clock.wallNow() - 1)
    expect(one.attempts).toBe(attempts)
    one.insertMs = () => 20
    await clock.advance(3000)
    expect(one.rows).toContain('late')
    expect([pipeline.notices.stateOf('a'), pipeline.notices.list().notices.length]).toEqual(['flowing', 2])
    expect(one.rows.length).toBe(49)
    expect(it.disk.records.size).toBe(0)
  })

  test('with too many parts is delayed by the node’s own count', async () => {
    const it = await stand()
    it.one.parts = (source) => (source === 'a' ? { active: 501, partsToDelayInsert: 1000 } : null)
    await flow(it, 4)
    expect(it.pipeline.notices.list().notices).toMatchObject([
      { source: 'a', state: 'delayed', reason: 'one of its partitions has too many parts' },
    ])
  })

  test('is not probed until its node was short of nothing for ten seconds', async () => {
    const it = await stand()
    const { clock, one } = it
    await flow(it, 10)
    one.insertMs = ({ source }) => (source === 'a' ? 1500 : 20)
    await flow(it, 14)
    one.insertMs = () => 20
    const { untilMs } = await it.send('a', ['late'])
    await clock.advance((untilMs ?? 0) - clock.wallNow() - 3000)
    one.fate = () => 'resources'
    await it.send('b', ['x'])
    await clock.advance(1500)
    one.fate = () => undefined
    await clock.advance(9000) // the hold is over for seven and a half seconds
    expect(one.rows).not.toContain('late')
    await clock.advance(3000)
    expect(one.rows).toContain('late')
  })
})

test('I3: twenty minutes of that limit it; over the limit it is 429 with a wait, and ten healthy minutes lift it', async () => {
  const it = await stand(['n1'], { breaker: { maxHolds: 1e6 } })
  const { clock, one, pipeline } = it
  for (let i = 0; i < 10; i++) {
    await it.send('a', named('r', 100))
    await clock.advance(1000)
  }
  one.insertMs = () => 9000
  let minutes = 0
  while (pipeline.backlogs.read('a').rowsPerSecond === null && minutes < 40) {
    minutes++
    await it.send('a', named('s', 100))
    await clock.advance(60_000)
  }
  expect(minutes).toBeGreaterThanOrEqual(20)
  expect(pipeline.notices.stateOf('a')).toBe('limited')
  await it.send('a', named('t', 100))
  const refused = await pipeline.accept('a', [{ partition: 'p', row: 'u' }])
  expect(refused).toMatchObject({ status: 429, reason: 'limited' })
  expect(await pipeline.accept('b', [{ partition: 'p', row: 'u' }])).toMatchObject({ status: 202 })
  // Another process limits it as this one did.
  const saved = JSON.parse(JSON.stringify(pipeline.snapshot()))
  await it.restart({ saved })
  expect(it.pipeline.notices.stateOf('a')).toBe('limited')
  one.insertMs = () => 20
  await clock.advance(15 * 60_000)
  expect(it.pipeline.backlogs.read('a').rowsPerSecond).toBeNull()
  expect(it.pipeline.notices.stateOf('a')).toBe('flowing')
  expect(new Set(one.rows).size).toBe(301)
})

test('what its table refuses is tried again beside what it takes, is told, and holds nobody else up', async () => {
  const it = await stand()
  it.one.fate = (block) => (rowsOfBlock(block).includes('poison') ? 'refused' : undefined)
  await it.send('a', ['poison'])
  await flow(it, 20)
  expect(it.one.rows.filter((row) => row === 'x').length).toBeGreaterThan(30)
  expect(it.pipeline.backlogs.read('a').rows).toBeLessThan(6)
  expect(it.pipeline.backlogs.read('b').rows).toBeLessThanOrEqual(1)
  const reason = 'some of its rows are refused each time they are sent'
  expect(it.pipeline.notices.list().notices).toMatchObject([{ source: 'a', state: 'delayed', reason }])
  expect(await it.clock.run(it.pipeline.backlogs.drop('a'))).toBeGreaterThan(0)
  expect(it.pipeline.notices.stateOf('a')).toBe('flowing')
  expect(it.pipeline.router.read()).toMatchObject([{ state: 'in_service', failuresInARow: 0 }])
})

describe('I6: a node', () => {
  test('that is gone has its data sources elsewhere within seconds, and slowly gets them back', async () => {
    const it = await stand(['n1', 'n2'])
    const { clock, one, two } = it
    const sources = named('s', 20)
    await flow(it, 5, sources)
    const before = one.rows.length
    expect(before).toBeGreaterThan(10)
    one.isUp = false
    await flow(it, 8, sources)
    await flow(it, 2, sources)
    expect(two.rows.length).toBeGreaterThan(5 * 20)
    one.isUp = true
    await flow(it, 120, sources)
    await clock.advance(5000)
    expect(one.rows.length).toBeGreaterThan(before + 300)
    expect([one.rows.length + two.rows.length, it.disk.records.size]).toEqual([135 * 20, 0])
  })

  test('that is new, or goes, has its share at once or none', async () => {
    const it = await stand(['n1', 'n2'])
    await flow(it, 3, named('s', 10))
    it.pipeline.setNodes([it.two])
    const before = it.one.rows.length
    await it.clock.advance(2000)
    await flow(it, 5, named('s', 10))
    await it.clock.advance(2000)
    expect([it.one.rows.length - before <= 10, it.one.rows.length + it.two.rows.length]).toEqual([true, 80])
  })
})

/** By nearest rank. */
const p99 = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.ceil(0.99 * values.length) - 1] ?? Number.NaN

/** So many data sources whose inserts take nine tenths of a flush interval, or nine of them. */
type Nuisance = 'none' | 'runaway' | 'slow' | 'four slow' | 'four very slow'

/**
 * How long others' events wait, in ms, where one is a nuisance: p99 over 20 s, and the longest of each one's first, of which
 * nobody knows yet how long its insert takes: it has to wait where four others of which nobody knows are slow.
 */
async function freshness(nuisance: Nuisance, isolation: boolean): Promise<{ ms: number; firstMs: number }> {
  const it = await stand(['n1'], { isolation, bounds: { maxTotalBytes: 1e12, maxSourceBytes: 1e12 } })
  const { clock, one, pipeline } = it
  const slowMs = nuisance === 'four very slow' ? 9000 : 900
  const slow = nuisance === 'slow' ? ['bad'] : nuisance.startsWith('four') ? named('bad', 4) : []
  one.insertMs = ({ source, count }) => (slow.includes(source) ? slowMs : 10 + count / 100)
  const waits: number[] = []
  const firsts = new Map<string, number>()
  let count = 0
  const others = named('s', 99)
  const end = clock.now() + 20_000
  for (let turn = 0; clock.now() < end; turn++) {
    for (const source of slow) for (let i = 0; i < 40; i++) await it.send(source, ['x'], `p${i}`)
    if (nuisance === 'runaway')
      await pipeline.accept(
        'bad',
        Array.from({ length: 50 }, (_, i) => ({ partition: `${turn}-${i}`, row: 'x' })),
      )
    for (const [i, source] of others.entries()) {
      if ((turn + i) % 10 !== 0) continue
      const sinceMs = clock.now()
      const isKnown = firsts.has(source)
      const { written } = await it.send(source, ['x'.repeat(50)])
      void written().then(() => {
        const ms = clock.now() - sinceMs
        count++
        if (isKnown) waits.push(ms)
        else firsts.set(source, Math.max(ms, firsts.get(source) ?? 0))
      })
    }
    await clock.advance(100)
  }
  for (let i = 0; i < 60 && count < 20 * 99; i++) await clock.advance(1000)
  expect(count).toBeGreaterThanOrEqual(1900)
  return { ms: p99(waits), firstMs: Math.max(...firsts.values()) }
}

test('I8: beside some that run away, or are slow, 99 others are as fresh as before; without isolation they are not', async () => {
  const before = await freshness('none', true)
  expect(before.ms).toBeLessThan(1100)
  const bounds = { runaway: 1200, slow: 1200, 'four slow': 3000, 'four very slow': 20_000 } as const
  for (const [nuisance, firstWithinMs] of Object.entries(bounds)) {
    const { ms, firstMs } = await freshness(nuisance as Nuisance, true)
    expect(ms, nuisance).toBeLessThan(before.ms + 50)
    expect(firstMs, `${nuisance}, each one’s first`).toBeLessThan(firstWithinMs)
  }
  for (const nuisance of ['runaway', 'slow'] as const)
    expect((await freshness(nuisance, false)).ms, `${nuisance}, no isolation`).toBeGreaterThan(5000)
})

test('I8: of thousands that nobody knows, few are looked at each time a slot is free; all of them are written', async () => {
  const it = await stand(['n1', 'n2', 'n3'])
  const asked = vi.spyOn(it.pipeline.router, 'route')
  const sources = named('s', 1500)
  await Promise.all(sources.map((source) => it.send(source, ['x'])))
  await it.clock.advance(10_000)
  const written = it.nodes.reduce((sum, { rows }) => sum + rows.length, 0)
  expect(written).toBe(1500)
  expect(asked.mock.calls.length).toBeLessThan(40 * 1500)
})
