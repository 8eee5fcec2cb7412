import { VirtualClock } from '@sluice/core/testing'
import { type GatheredEvent, Gatherer, KeyedBreaker, Quota, Router, TemporalLimit } from '@sluice/ingest'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const source = fc.constantFrom('a', 'b', 'c')

test('I1: the gatherer loses nothing, doubles nothing and keeps the order', async () => {
  const act = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        does: fc.constant('add' as const),
        source,
        events: fc.array(fc.nat(3), { maxLength: 9 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ does: fc.constant('pass' as const), ms: fc.constantFrom(0, 1, 400, 999, 1000, 5000) }),
    },
    { weight: 2, arbitrary: fc.record({ does: fc.constant('due' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({ does: fc.constant('flush' as const), source: fc.option(source, { nil: undefined }) }),
    },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 60 }), fc.integer({ min: 1, max: 7 }), async (acts, maxRows) => {
      const clock = new VirtualClock()
      const flushIntervalMs = (name: string): number => (name === 'a' ? 500 : 1000)
      const gatherer = new Gatherer<number>({ clock, maxRows, maxBytes: 30, flushIntervalMs })
      const added = new Map<string, number[]>()
      const written = new Map<string, number[]>()
      const write = (flushes: ReturnType<typeof gatherer.due>): void => {
        for (const { source: name, partition, rows } of flushes) {
          expect(rows.length).toBeGreaterThan(0)
          expect(rows.length).toBeLessThanOrEqual(maxRows)
          const key = `${name} ${partition}`
          written.set(key, [...(written.get(key) ?? []), ...rows])
        }
      }
      let row = 0
      for (const one of acts) {
        if (one.does === 'pass') await clock.advance(one.ms)
        else if (one.does === 'flush') write(gatherer.flush(one.source))
        else if (one.does === 'due') {
          write(gatherer.due())
          // What waits is due later, and never for longer than its interval.
          const { nextDueMs } = gatherer
          if (nextDueMs !== null) expect(nextDueMs).toBeGreaterThan(clock.now())
          if (nextDueMs !== null) expect(nextDueMs).toBeLessThanOrEqual(clock.now() + 1000)
        } else {
          const events: GatheredEvent<number>[] = one.events.map((n) => ({
            partition: `p${n}`,
            row: row++,
            bytes: 1 + n * 4,
          }))
          for (const { partition, row: number } of events) {
            const key = `${one.source} ${partition}`
            added.set(key, [...(added.get(key) ?? []), number])
          }
          write(gatherer.add(one.source, events))
        }
      }
      write(gatherer.flush())
      expect(gatherer.nextDueMs).toBeNull()
      expect(Object.fromEntries(written)).toEqual(Object.fromEntries(added))
    }),
    { numRuns: 300 },
  )
})

test('I6: never more than half of the nodes are out, and every block has a node in service or is a probe', async () => {
  const act = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        does: fc.constant('route' as const),
        name: fc.nat(30),
        ok: fc.boolean(),
        tookMs: fc.constantFrom(10, 100, 900),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constant('fail' as const),
        node: fc.nat(5),
        times: fc.integer({ min: 1, max: 6 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ does: fc.constant('slow' as const), node: fc.nat(5), times: fc.constantFrom(1, 25) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        does: fc.constant('pass' as const),
        ms: fc.constantFrom(1, 999, 30_000, 30_001, 400_000),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        does: fc.constant('nodes' as const),
        nodes: fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 6 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('force' as const), name: fc.nat(30), node: fc.nat(5) }) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 80 }), fc.integer({ min: 1, max: 6 }), async (acts, count) => {
      const clock = new VirtualClock()
      const router = new Router({ clock, nodes: Array.from({ length: count }, (_, i) => `n${i}`) })
      for (const one of acts) {
        if (one.does === 'pass') await clock.advance(one.ms)
        else if (one.does === 'nodes') router.setNodes(one.nodes.map((i) => `n${i}`))
        else if (one.does === 'force') {
          const known = router.read().some(({ node }) => node === `n${one.node}`)
          if (known) router.force(`s${one.name}`, `n${one.node}`)
        } else if (one.does === 'route') {
          const route = router.route(`s${one.name}`)
          const taken = router.read().find(({ node }) => node === route.node)
          expect(taken?.state).toBe(route.isProbe ? 'on_probe' : 'in_service')
          router.report(route, one.ok ? { isWritten: true, tookMs: one.tookMs } : { isWritten: false })
        } else {
          const outcome =
            one.does === 'slow' ? { isWritten: true as const, tookMs: 5000 } : { isWritten: false as const }
          for (let i = 0; i < one.times; i++) router.report({ node: `n${one.node}`, isProbe: false }, outcome)
        }
        const nodes = router.read()
        const out = nodes.filter(({ state }) => state !== 'in_service').length
        expect(out).toBeLessThanOrEqual(nodes.length / 2)
        expect(nodes.length - out).toBeGreaterThanOrEqual(1)
      }
      // Who fails no longer comes back: each route is at most a probe away.
      for (let i = 0; i < 2 * count + 12; i++) {
        await clock.advance(300_000)
        const route = router.route('s99') // which nobody forced anywhere
        router.report(route, { isWritten: true, tookMs: 10 })
      }
      expect(router.read().map(({ state }) => state)).not.toContain('ejected')
    }),
    { numRuns: 300 },
  )
})

test('I6: rendezvous hashing spreads data sources evenly, and moves only those of a node that goes', () => {
  const router = new Router({ nodes: ['n1', 'n2', 'n3', 'n4'], clock: new VirtualClock() })
  const names = Array.from({ length: 400 }, (_, i) => `source_${i}`)
  const before = new Map(names.map((name) => [name, router.route(name).node]))
  for (const { sources } of router.read()) {
    expect(sources).toBeGreaterThanOrEqual(75)
    expect(sources).toBeLessThanOrEqual(125)
  }
  router.setNodes(['n1', 'n2', 'n3'])
  const moved = names.filter((name) => before.get(name) !== 'n4' && router.route(name).node !== before.get(name))
  // Those only that had found no room where they belong.
  expect(moved.length).toBeLessThan(40)
})

test('I3: whatever was before, ten healthy minutes lift the limit', async () => {
  const stretch = fc.record({ saturated: fc.boolean(), seconds: fc.integer({ min: 1, max: 1300 }), rows: fc.nat(1000) })
  const pause = fc.constantFrom(0, 0, 9_000, 11_000, 3_600_000)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(stretch, pause), { minLength: 1, maxLength: 4 }), async (stretches) => {
      let now = 0
      const limit = new TemporalLimit({ clock: { now: () => now } })
      const watch = (saturated: boolean, seconds: number, rows: number): void => {
        limit.observe(saturated)
        for (let i = 0; i < seconds; i++) {
          now += 1000
          limit.drained(rows)
          limit.observe(saturated)
          if (limit.rowsPerSecond !== null) expect(limit.rowsPerSecond).toBeGreaterThanOrEqual(1)
        }
      }
      for (const [{ saturated, seconds, rows }, ms] of stretches) {
        watch(saturated, seconds, rows)
        now += ms
      }
      watch(true, 1200, 10)
      expect(limit.rowsPerSecond).not.toBeNull()
      watch(false, 599, 0)
      const before = limit.rowsPerSecond
      watch(false, 1, 0)
      expect([before === null, limit.rowsPerSecond, limit.admit(1_000_000).isAdmitted]).toEqual([false, null, true])
    }),
    { numRuns: 20 },
  )
})

test('I2: whatever a data source does, it is closed again three hours after it is well', async () => {
  const act = fc.oneof(
    fc.record({ does: fc.constant('flush' as const), ms: fc.constantFrom(10, 100, 5000, 90_000) }),
    fc.record({
      does: fc.constantFrom('aged' as const, 'parts' as const, 'pass' as const),
      ms: fc.constantFrom(0, 200, 6000, 61_000),
    }),
    fc.record({ does: fc.constantFrom('ask' as const, 'fail' as const), ms: fc.constant(0) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 80 }), async (acts) => {
      let now = 0
      const breaker = new KeyedBreaker({ clock: { now: () => now } })
      for (const { does, ms } of acts) {
        if (does === 'flush') breaker.flushed('a', ms)
        else if (does === 'aged') breaker.aged('a', ms)
        else if (does === 'parts') breaker.parts('a', ms, 300)
        else if (does === 'pass') now += ms
        else if (does === 'ask') breaker.mayFlush('a')
        else breaker.failed('a')
        const { state, untilMs } = breaker.read('a')
        if (state === 'open') expect(untilMs).toBeLessThanOrEqual(now + 66_000)
        expect(breaker.mayFlush('b')).toBe(true)
      }
      for (let i = 0; i < 180 && breaker.isSaturated('a'); i++) {
        now += 60_000
        if (breaker.mayFlush('a')) breaker.flushed('a', 10)
        breaker.aged('a', 0)
        breaker.parts('a', 0, 300)
      }
      expect(breaker.read('a')).toMatchObject({ state: 'closed', unanswered: [] })
    }),
    { numRuns: 300 },
  )
})

test('two hundred thousand names change nothing: quota and breaker keep what they know within their bounds', () => {
  const quota = new Quota({ clock: { now: () => 0 }, maxKeys: 1000 })
  for (let i = 0; i < 10; i++) quota.take('owner', 'real')
  const breaker = new KeyedBreaker({ clock: { now: () => 0 }, maxKeys: 1000 })
  breaker.parts('real', 300, 300)
  for (let i = 0; i < 200_000; i++) {
    quota.take('attacker', `made-up-${i}`)
    if (i % 10 === 0) breaker.flushed(`made-up-${i}`, 10)
  }
  expect([quota.size, breaker.size]).toEqual([1000, 1000])
  expect([quota.take('owner', 'real').isAdmitted, breaker.read('real').state]).toEqual([false, 'open'])
})
