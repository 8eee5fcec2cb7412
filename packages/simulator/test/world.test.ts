import { describe, expect, it } from 'vitest'
import { fixed, none } from '../src/controllers/ours.js'
import { statisticsOf } from '../src/metrics/statistics.js'
import { play } from '../src/scenario/play.js'
import { FirstInFirstOut } from '../src/servers/first-in-first-out.js'
import { ProcessorSharing } from '../src/servers/processor-sharing.js'
import { Server } from '../src/servers/server.js'
import { World } from '../src/world/world.js'
import { meanInMmc, whole, world } from './worlds.js'

/** Poisson arrivals of exponential work on cores of a kind. @returns mean number in the system, mean ms a job took */
async function queue(kind: 'fifo' | 'processor_sharing', { cores = 4, rate = 8, meanMs = 400, hours = 60 } = {}) {
  const it = new World(11)
  const made = kind === 'fifo' ? new FirstInFirstOut(it, cores) : new ProcessorSharing(it, cores)
  const gaps = it.stream('gaps')
  const work = it.stream('work')
  let area = 0
  let inside = 0
  let sinceUs = 0
  let took = 0
  let ended = 0
  const step = (by: number) => {
    area += inside * (it.nowUs - sinceUs)
    sinceUs = it.nowUs
    inside += by
  }
  const arrive = () => {
    const from = it.nowUs
    step(1)
    made.run(work.exponential(meanMs * 1000), () => {
      step(-1)
      took += it.nowUs - from
      ended++
    })
    it.at(it.nowUs + gaps.exponential(1e6 / rate), arrive)
  }
  arrive()
  await it.runUntil(hours * 3_600_000)
  const totalUs = hours * 3.6e9
  return {
    mean: area / totalUs,
    tookMs: took / ended / 1000,
    ratePerSecond: ended / (totalUs / 1e6),
    busy: made.busyCoreUs / totalUs,
  }
}

const within = (part: number, of: number) => ({ from: of * (1 - part), to: of * (1 + part) })

describe('the world', () => {
  it.each(['fifo', 'processor_sharing'] as const)('agrees with the formula of an M/M/c queue: %s', async (kind) => {
    // With exponential work the mean number inside is the same for both disciplines.
    const { mean, busy } = await queue(kind)
    const { from, to } = within(0.02, meanInMmc(8, 0.4, 4))
    expect(mean).toBeGreaterThan(from)
    expect(mean).toBeLessThan(to)
    expect(busy).toBeCloseTo(3.2, 1)
  })

  it("obeys Little's law", async () => {
    const { mean, tookMs, ratePerSecond } = await queue('processor_sharing', { hours: 2 })
    const { from, to } = within(0.02, ratePerSecond * (tookMs / 1000))
    expect(mean).toBeGreaterThan(from)
    expect(mean).toBeLessThan(to)
  })

  it('shares its cores evenly, one to a job at most', async () => {
    const it_ = new World(1)
    const cores = new ProcessorSharing(it_, 2)
    const ended: [string, number][] = []
    const run = (name: string, ms: number) => cores.run(ms * 1000, () => ended.push([name, it_.now()]))
    run('a', 300)
    await it_.runUntil(100) // a has had 100, alone on its core
    run('b', 100)
    run('c', 210) // three on two cores: each gets two thirds
    await it_.runUntil(1000)
    // b ends after 150 ms; a has 100 left then, c 110, and each a core.
    expect(ended).toEqual([
      ['b', 250],
      ['a', 350],
      ['c', 360],
    ])
    expect(cores.busyCoreUs).toBe(610_000)
  })

  it('takes as long when load and cores are doubled and shared as far as they were', async () => {
    const small = statisticsOf(await play(world({ ratePerSecond: 22.5, cores: 24 }), none, 3), whole(3600))
    const large = statisticsOf(await play(world({ ratePerSecond: 45, cores: 48 }), none, 3), whole(3600))
    expect(large.p50Ms / small.p50Ms).toBeGreaterThan(0.98)
    expect(large.p50Ms / small.p50Ms).toBeLessThan(1.02)
    expect(large.meanInside / small.meanInside).toBeGreaterThan(1.96)
    expect(large.meanInside / small.meanInside).toBeLessThan(2.04)
  })

  it('plans nothing for a time that is past', async () => {
    const it_ = new World(1)
    await it_.runUntil(5)
    expect(() => it_.at(4999, () => {})).toThrow('an event was planned for 4999 µs, and it is 5000 µs already')
  })

  it('works on a request that nobody waits for any more', async () => {
    const it_ = new World(1)
    const cores = new ProcessorSharing(it_, 1)
    const server = new Server(it_, { cores })
    server.send({ workMs: 1000 }, () => {}) // whoever sent it leaves after 10 ms; the server is not told
    await it_.runUntil(10)
    let answeredMs = 0
    server.send({ workMs: 100 }, () => {
      answeredMs = it_.now()
    })
    await it_.runUntil(5000)
    expect(answeredMs).toBe(210)
    expect(cores.busyCoreUs).toBe(1_100_000)
  })

  it('is the same for the same seed, and another for another', async () => {
    const short = world({ durationS: 300 })
    const times = async (seed: number) => (await play(short, fixed(), seed)).tookMs.values.join()
    expect(await times(5)).toBe(await times(5))
    expect(await times(5)).not.toBe(await times(6))
  })
})
