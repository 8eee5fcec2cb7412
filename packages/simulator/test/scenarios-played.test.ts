import { describe, expect, it } from 'vitest'
import type { Controller, ObservedLimiter } from '../src/controllers/controller.js'
import { oracle } from '../src/controllers/oracle.js'
import { fixed, knee, none, seed } from '../src/controllers/ours.js'
import { judge } from '../src/scenario/judge.js'
import { play } from '../src/scenario/play.js'
import type { Scenario } from '../src/scenario/scenario.js'
import { named, sooner } from './scenarios-files.js'

/** Each target's value, rounded to so many digits. */
async function reached(scenario: Scenario, controller: Controller, digits = 3): Promise<Record<string, number>> {
  const { targets } = judge(scenario, await play(scenario, controller, 1001))
  return Object.fromEntries(
    targets.map(({ target, value }) => [`${target.phase} ${target.statistic}`, Number(value.toPrecision(digits))]),
  )
}

describe('what scenarios show', () => {
  it('03: who knows what is ordinary acts in the surge, and who knows nothing says so and takes it for the ordinary', async () => {
    const start = (id: string) => sooner({ ...named(id), client: { ...named(id).client, startsAtS: 120 } }, 480, 1500)
    const knowing = await play(start('start-with-prior'), seed, 1001)
    const ignorant = await play(start('start-with-nothing'), seed, 1001)
    expect(Math.min(...knowing.limit.values)).toBeLessThan(35)
    expect(Math.min(...ignorant.limit.values)).toBe(35)
    expect(Math.max(...knowing.unknown.values.subarray(121))).toBe(0)
    expect(Math.min(...ignorant.unknown.values.subarray(121, 420))).toBe(1) // 30 windows
  })

  it('10: nobody is fair who cannot tell tenants apart, and a bulkhead for each is', async () => {
    const loud = sooner(named('loud-tenant'), 900, 1200)
    const mixed = await reached(loud, fixed())
    expect(mixed['loud jainIndex']).toBeLessThan(0.95)
    expect(mixed['loud othersP99Ms']).toBeGreaterThan(9000)
    const bulkheads: Controller = {
      name: 'a bulkhead for each',
      source: 'this test',
      create: (setting) => {
        const of = Array.from({ length: 10 }, () => fixed(5).create({ ...setting, maxQueue: 50 }))
        const all = of[0] as ObservedLimiter // there are ten
        return Object.assign(all, { limiterFor: ({ tenant }: { tenant: number }) => of[tenant] ?? all })
      },
    }
    const apart = await reached(loud, bulkheads)
    expect(apart['loud jainIndex']).toBeGreaterThan(0.99)
    expect(apart['loud othersP99Ms']).toBeLessThan(2240)
  })

  it('11: the seed follows a server that flaps once a minute further than it should', async () => {
    const flapping = sooner(named('flapping-minute'), 1200, 2400)
    expect((await reached(flapping, seed))['flapping limitDeviation']).toBeGreaterThan(0.15)
    expect((await reached(flapping, fixed()))['flapping limitDeviation']).toBe(0)
  })

  it('12: another mix is no overload, and the seed takes it for one', async () => {
    const shifted = sooner(named('mix-shift'), 1200, 1800)
    expect(await reached(shifted, fixed())).toEqual({ 'shifted falseShare': 0, 'shifted falselyDelayedShare': 0 })
    expect((await reached(shifted, seed))['shifted falseShare']).toBeGreaterThan(0.9)
  })

  it('14: jumps of the wall clock and a sleep change nothing', async () => {
    const whole = sooner(named('clocks'), 600, 2400)
    const clocks = { ...whole, phases: { ...whole.phases, resumed: { fromS: 2110, toS: 2330 } } }
    const recording = await play(clocks, seed, 1001)
    expect(judge(clocks, recording).targets.map(({ value }) => value)).toEqual([0, 0, 1])
    expect([...recording.limit.values]).toEqual([...(await play({ ...clocks, faults: [] }, seed, 1001)).limit.values])
  })

  it('17: without a limit all 1 600 that waited come back at once, and the oracle lets in as many as there are cores', async () => {
    const recovery = sooner(named('recovery'), 900, 1200)
    const unlimited = await reached(recovery, none)
    expect(unlimited['recovery overshoot']).toBeGreaterThan(50)
    expect((await reached(recovery, fixed()))['recovery overshoot']).toBe(0.458) // 35 on 24 cores
    expect((await reached(recovery, oracle))['recovery overshoot']).toBe(0)
    expect((await reached(recovery, seed))['recovery overshoot']).toBe(0)
  })

  it("18: the seed goes to its floor for a neighbour's load and stays there, and calls of ours are lost for it", async () => {
    const crowded = sooner(named('neighbour'), 1200, 1500)
    expect(await reached(crowded, fixed(), 2)).toEqual({ 'crowded longestLowS': 0, 'crowded okShare': 1 })
    const lost = await reached(crowded, seed)
    expect(lost['crowded longestLowS']).toBeGreaterThan(600)
    expect(lost['crowded okShare']).toBeLessThan(0.9)
  })

  it('19: four limits that know nothing of each other allow more at their floors than the surge has in flight', async () => {
    const fleet = sooner(named('fleet'), 1200, 1500)
    const recording = await play(fleet, seed, 1001)
    expect(recording.limit.values[0]).toBe(4 * 35)
    expect(Math.min(...recording.limit.values)).toBeGreaterThanOrEqual(4 * 17)
    expect(judge(fleet, recording).phases.surge?.meanInside).toBeGreaterThan(24) // of 24 cores, 5.5 of them batch
  })

  it.each([
    ['diurnal', 3600],
    ['growth', 7200],
    ['creep', 7200],
  ])('%s: its first hours are quiet, and nobody limits anybody', async (id, durationS) => {
    const first = { ...named(id), durationS, phases: { all: { fromS: 0, toS: durationS } }, targets: [] }
    const { all } = judge(first, await play(first, seed, 1001)).phases
    expect(all?.okShare).toBeGreaterThan(0.999)
    expect(all?.falseShare).toBe(0)
  })

  it('2, 11, 17: the knee protects the batch jobs and its callers alike, and swings and overshoots less than the seed', async () => {
    const overload = sooner(named('overload'), 2700, 2700)
    expect(judge(overload, await play(overload, knee, 1001)).targets.filter(({ met }) => !met)).toEqual([])
    expect((await reached(overload, seed))['overload p50Ms']).toBeGreaterThan(10_000)
    const flapping = sooner(named('flapping-minute'), 1200, 2400)
    expect((await reached(flapping, knee))['flapping limitDeviation']).toBeLessThan(0.15)
    expect((await reached(sooner(named('recovery'), 700, 1400), knee))['recovery overshoot']).toBe(0)
  })

  it("12, 18: the knee finds out that it is not its load: another mix is limited for minutes, a neighbour's calls too", async () => {
    expect((await reached(sooner(named('mix-shift'), 1200, 1800), knee))['shifted falseShare']).toBeLessThan(0.15)
    const crowded = await reached(sooner(named('neighbour'), 1200, 1500), knee)
    expect(crowded['crowded longestLowS']).toBeLessThan(300) // the seed's is the whole time
    expect(crowded['crowded okShare']).toBeGreaterThan(0.8)
  })
})
