import { describe, expect, it } from 'vitest'
import { begin } from '../src/clients/load.js'
import { Mix } from '../src/clients/mix.js'
import type { Controller } from '../src/controllers/controller.js'
import { fixed, none, seed } from '../src/controllers/ours.js'
import { statisticsOf } from '../src/metrics/statistics.js'
import { play } from '../src/scenario/play.js'
import { World } from '../src/world/world.js'
import { whole, world } from './worlds.js'

const steady = [{ atS: 0, factor: 1 }]
const sum = (values: Float64Array, fromS = 0, toS = values.length) =>
  values.subarray(fromS, toS).reduce((a, b) => a + b, 0)

describe('load', () => {
  it('of users who think obeys the law of interactive response: users over thinking and answer', async () => {
    const load = { users: 20, thinkMs: 1600, between: 'steps' as const, points: steady }
    const { okPerSecond } = statisticsOf(await play(world({ load }), none, 1), whole(3590))
    expect(okPerSecond).toBeGreaterThan((20 / 2) * 0.98) // 0.4 s of work each, and a core for everybody
    expect(okPerSecond).toBeLessThan((20 / 2) * 1.02)
  })

  it('of users goes on only with those who are there', async () => {
    const points = [
      { atS: 0, factor: 1 },
      { atS: 100, factor: 0 },
    ]
    const load = { users: 5, thinkMs: 500, between: 'steps' as const, points }
    const { sent } = await play(world({ load, durationS: 200 }), none, 1)
    expect(sum(sent.values, 0, 100)).toBeGreaterThan(400)
    expect(sum(sent.values, 102)).toBe(0)
  })

  it('that goes on and off does so until the end', async () => {
    const points = [
      { atS: 0, factor: 1 },
      { atS: 10, factor: 0 },
    ]
    const load = { ratePerSecond: 50, between: 'steps' as const, points, everyS: 30 }
    const { sent } = await play(world({ load, durationS: 120 }), none, 1)
    const tens = Array.from({ length: 12 }, (_, at) => sum(sent.values, at * 10, at * 10 + 10))
    for (const [at, n] of tens.entries()) {
      if (at % 3 === 0)
        expect(Math.abs(n - 500)).toBeLessThan(70) // three standard deviations of 500
      else expect(n).toBe(0)
    }
  })

  it('of a trace comes when it came', async () => {
    const it_ = new World(1)
    const came: number[] = []
    begin(it_, { arrivalsMs: [5, 5, 12.5, 900] }, { name: 'trace', call: () => came.push(it_.now()) })
    await it_.runUntil(1000)
    expect(came).toEqual([5, 5, 12.5, 900])
  })

  it('is of other kinds after a change of mix, and otherwise the same', () => {
    const classes = [
      { name: 'light', share: 0.9, meanMs: 100, sigma: 0.5 },
      { name: 'heavy', share: 0.1, meanMs: 2000, sigma: 0.5 },
    ]
    const [one, other] = [new Mix(new World(1), classes), new Mix(new World(1), classes)]
    other.change([0.6, 0.4])
    const drawn = Array.from({ length: 10_000 }, () => [one.next(0), other.next(0)] as const)
    const heavy = (at: 0 | 1) => drawn.filter((pair) => pair[at].kind === 'heavy').length / drawn.length
    expect(heavy(0)).toBeCloseTo(0.1, 1)
    expect(heavy(1)).toBeCloseTo(0.4, 1)
    for (const [a, b] of drawn) if (a.kind === b.kind) expect(a.workMs).toBe(b.workMs)
  })
})

describe('clients', () => {
  it('are tenants: the loud one has its own load, and the others the rest in equal parts', async () => {
    const loud = { ratePerSecond: 40, between: 'steps' as const, points: steady }
    const it_ = world({ ratePerSecond: 36, cores: 64, durationS: 600, tenants: { others: 9, loud } })
    const calls = Array.from({ length: 10 }, () => 0)
    for (const tenant of (await play(it_, none, 1)).tenant.values) calls[tenant] = (calls[tenant] ?? 0) + 1
    const [first = 0, ...others] = calls.map((n) => n / 600)
    expect(Math.abs(first - 40)).toBeLessThan(1)
    for (const rate of others) expect(Math.abs(rate - 4)).toBeLessThan(0.4)
  })

  it('ask for a slot as what they are, also through execute()', async () => {
    const asked = new Set<string>()
    const curious: Controller = {
      name: 'curious',
      source: 'this test',
      create: (setting) => {
        const limiter = fixed().create(setting)
        const limiterFor = ({ tenant, kind }: { tenant: number; kind: string }) => {
          asked.add(`${tenant} ${kind}`)
          return limiter
        }
        return Object.assign(limiter, { limiterFor })
      },
    }
    const loud = { ratePerSecond: 1, between: 'steps' as const, points: steady }
    const it_ = world({ durationS: 30, tenants: { others: 1, loud } })
    await play(it_, curious, 1)
    expect([...asked].sort()).toEqual(['0 query', '1 query'])
    asked.clear()
    await play({ ...it_, client: { ...it_.client, policy: { maxAttempts: 2 } } }, curious, 1)
    expect([...asked].sort()).toEqual(['0 query', '1 query'])
  })

  it('are processes: each has a limiter, and what they allow adds up', async () => {
    const it_ = world({ durationS: 600 })
    const four = await play({ ...it_, client: { ...it_.client, processes: 4, maxConcurrent: 3 } }, fixed(), 1)
    const one = await play({ ...it_, client: { ...it_.client, maxConcurrent: 12 } }, fixed(), 1)
    expect(four.limit.values[0]).toBe(12)
    expect(Math.max(...four.inFlight.values)).toBe(12)
    expect(sum(four.sent.values)).toBeCloseTo(sum(one.sent.values), -2)
    // A queue of one process while another has room: four threes are worth less than one twelve.
    expect(sum(four.queued.values)).toBeGreaterThan(sum(one.queued.values))
  })

  it('start when they start, knowing what they are given', async () => {
    const it_ = world({ durationS: 130, ratePerSecond: 45 })
    const startsAtS = 100
    const knowing = { ...it_.client, startsAtS, prior: { p90Ms: 300, windows: 100 } }
    const { limit, unknown } = await play({ ...it_, client: knowing }, seed, 1)
    expect(Math.min(...limit.values.subarray(0, 109))).toBe(35)
    expect(limit.values[110]).toBe(26) // 800 ms are more than 1.4 times 300, in its first window
    expect(unknown.values[105]).toBe(0)
    const ignorant = await play({ ...it_, client: { ...it_.client, startsAtS } }, seed, 1)
    expect(Math.min(...ignorant.limit.values)).toBe(35)
    expect(ignorant.unknown.values[105]).toBe(1)
  })

  it('have a neighbour, whom nobody limits and who is no call of ours', async () => {
    const quiet = world({ durationS: 600 })
    const load = { ratePerSecond: 22.5, between: 'steps' as const, points: steady }
    const alone = await play(quiet, fixed(2), 1)
    const both = await play({ ...quiet, neighbour: { load, work: quiet.work } }, fixed(2), 1)
    expect([...both.arrivedMs.values]).toEqual([...alone.arrivedMs.values])
    expect(Math.max(...both.inFlight.values)).toBe(2)
    expect(statisticsOf(both, whole(600)).meanInside - statisticsOf(alone, whole(600)).meanInside).toBeCloseTo(9, 0)
  })
})
