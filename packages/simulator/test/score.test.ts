import { describe, expect, it } from 'vitest'
import type { Statistics } from '../src/metrics/statistics.js'
import { controllerOf, controllers } from '../src/score/choice.js'
import { compare, playsOf, tunedEntrants } from '../src/score/compare.js'
import { intervalOf, pairedDifference } from '../src/score/interval.js'
import { nearness } from '../src/score/nearness.js'
import { type Player, type PlayTask, playTask } from '../src/score/played.js'
import { scoreOf } from '../src/score/score.js'
import { bestFixed, between, tuned } from '../src/score/search.js'
import { seedsFrom } from '../src/score/seeds.js'
import { studentQuantile } from '../src/score/student.js'
import { tunables } from '../src/score/tunable.js'
import { whole, world } from './worlds.js'

const scenario = world({
  durationS: 20,
  phases: { all: whole(20) },
  targets: [
    { phase: 'all', statistic: 'p50Ms', max: 400 },
    { phase: 'all', statistic: 'okShare', min: 0.9 },
  ],
})

/** Plays nothing: the p50 is a function of what is to be played, and nothing fails. */
const pretending = (p50Of: (task: PlayTask) => number): Player & { tasks: PlayTask[] } => {
  const tasks: PlayTask[] = []
  const player: Player = async (task) => {
    tasks.push(task)
    const targets = task.scenario.targets.map((target) => {
      const value = target.statistic === 'p50Ms' ? p50Of(task) : 1
      return { target, value, met: true }
    })
    return { judgement: { phases: {}, targets }, timeline: [] }
  }
  return Object.assign(player, { tasks })
}

describe('an interval', () => {
  it('has the quantiles of Student’s t', () => {
    // NIST/SEMATECH, e-Handbook of Statistical Methods, 1.3.6.7.2: three digits.
    const published = { 1: 12.706, 2: 4.303, 9: 2.262, 19: 2.093, 30: 2.042, 31: 2.04, 40: 2.021, 60: 2.0, 100: 1.984 }
    for (const [freedom, quantile] of Object.entries(published))
      expect(studentQuantile(Number(freedom)), freedom).toBeCloseTo(quantile, 3)
    expect(studentQuantile(120)).toBeCloseTo(1.97993, 5)
  })

  it('is the mean and half of what 95 % lie within; of one value there is none', () => {
    const { mean, half } = intervalOf([1, 2, 3, 4])
    expect(mean).toBe(2.5)
    expect(half).toBeCloseTo((3.182446 * Math.sqrt(5 / 3)) / 2, 5)
    expect(intervalOf([7])).toEqual({ mean: 7, half: null })
    expect(intervalOf([1, Number.NaN]).mean).toBeNaN()
  })

  it('of paired differences is that of the differences', () => {
    const difference = pairedDifference([11, 22, 33], [10, 20, 30])
    expect(difference).toEqual(intervalOf([1, 2, 3]))
    expect(() => pairedDifference([1, 2], [1])).toThrow('pairedDifference: 2 values and 1; play the same seeds')
  })
})

describe('how near', () => {
  it.each<[string, { min?: number; max?: number }, number, number]>([
    ['a maximum that is kept', { max: 4 }, 4, 1],
    ['a maximum that is missed', { max: 4 }, 5, 0.8],
    ['a maximum of zero, kept', { max: 0 }, 0, 1],
    ['a maximum of zero, missed by little', { max: 0 }, 0.001, 0],
    ['a maximum, endlessly missed', { max: 4 }, Number.POSITIVE_INFINITY, 0],
    ['a minimum that is kept', { min: 0.9 }, 0.95, 1],
    ['a minimum that is missed', { min: 0.9 }, 0.45, 0.5],
    ['a minimum of zero', { min: 0 }, 0, 1],
    ['nothing at all', { min: 0.9 }, 0, 0],
    ['both, between them', { min: 1, max: 2 }, 1.5, 1],
    ['both, below', { min: 1, max: 2 }, 0.5, 0.5],
    ['both, above', { min: 1, max: 2 }, 4, 0.5],
    ['a figure that has nothing to be of', { max: 1 }, Number.NaN, 0],
  ])('%s', (_, target, value, near) => expect(nearness(target, value)).toBeCloseTo(near, 12))
})

describe('a score', () => {
  it('is the mean over the targets, and over the seeds', () => {
    const { score, scores, targets } = scoreOf(scenario, [
      [400, 1],
      [800, 0.45],
    ])
    expect(scores).toEqual([1, 0.5])
    expect(score.mean).toBe(0.75)
    expect(targets.map(({ values, met, metSeeds }) => ({ values, met, metSeeds }))).toEqual([
      { values: [400, 800], met: false, metSeeds: 1 },
      { values: [1, 0.45], met: false, metSeeds: 1 },
    ])
  })

  it('of a scenario without a target is 1', () => {
    expect(scoreOf({ ...scenario, targets: [] }, [[], []]).score).toEqual({ mean: 1, half: 0 })
  })
})

describe('a search', () => {
  it('tries nine choices of each, the documented default first', () => {
    for (const { name, grid } of tunables) {
      expect(grid, name).toHaveLength(9)
      expect(new Set(grid.map((it) => JSON.stringify(it))).size, name).toBe(9)
    }
    expect(tunables.map(({ grid }) => grid[0])).toEqual([
      { timeoutMs: 5000, minLimit: 20 },
      { rttTolerance: 1.5, longWindow: 600 },
      { maxLimit: 1000, probeMultiplier: 30 },
      { buffer: 0.25, probeEveryMs: 60_000 },
      { factor: 2 },
    ])
  })

  it('finds a fixed limit in five coarse steps and four fine ones', async () => {
    const player = pretending(({ controller }) => 400 + Math.abs((controller.parameters?.limit ?? 0) - 21))
    expect(await bestFixed(scenario, [1, 2], player)).toEqual({ name: 'fixed', parameters: { limit: 21 } })
    const limits = player.tasks.map(({ controller }) => controller.parameters?.limit)
    expect([...new Set(limits)]).toEqual([64, 32, 16, 8, 4, 27, 21, 13, 11])
    expect(player.tasks.map(({ seed }) => seed).filter((seed) => seed === 2)).toHaveLength(9)
    expect(between(4)).toEqual([7, 5, 3, 2])
    expect(between(64)).toEqual([107, 85, 53, 43])
  })

  it('takes of equals the one that restrains least', async () => {
    expect(
      await bestFixed(
        scenario,
        [1],
        pretending(() => 1),
      ),
    ).toEqual({ name: 'fixed', parameters: { limit: 64 } })
  })

  it('finds one choice of a peer’s parameters for all scenarios', async () => {
    const aimd = tunables[0]
    if (aimd === undefined) throw new Error('there is none')
    const other = { ...scenario, id: 'other' }
    // Each scenario has a favourite of its own; a third choice is the best for both together.
    const player = pretending(({ scenario: { id }, controller: { parameters } }) => {
      const { timeoutMs, minLimit } = parameters ?? {}
      if (timeoutMs === 2500 && minLimit === 10) return 500
      if (timeoutMs === 1000 && minLimit === 5) return id === 'other' ? 400 : 4000
      return timeoutMs === 5000 && minLimit === 5 && id !== 'other' ? 400 : 4000
    })
    const choice = await tuned(aimd, [scenario, other], [1], player)
    expect(choice).toEqual({ name: 'aimd', parameters: { timeoutMs: 2500, minLimit: 10 } })
  })
})

describe('a comparison', () => {
  it('scores each on the report seeds, with what was found on the tuning seeds', async () => {
    const player = pretending(({ controller, seed }) =>
      controller.name === 'none' ? 800 : controller.parameters?.limit === 8 ? 400 : 401 + seed,
    )
    const request = {
      ...{ scenarios: [scenario], seeds: seedsFrom(1001, 3), tuningSeeds: seedsFrom(1, 2), player },
      entrants: [{ kind: 'as it is', choice: { name: 'none' } } as const, { kind: 'best fixed' } as const],
    }
    const [compared] = await compare(request)
    expect(compared?.entries.map(({ label, choice, score }) => [label, choice, score.score.mean])).toEqual([
      ['none', { name: 'none' }, 0.75],
      ['best-fixed', { name: 'fixed', parameters: { limit: 8 } }, 1],
    ])
    expect(player.tasks).toHaveLength(playsOf(request))
    const reported = player.tasks.filter(({ controller }) => controller.parameters?.limit === 8 && true)
    expect(reported.map(({ seed }) => seed)).toEqual([1, 2, 1001, 1002, 1003])
  })

  it('refuses a controller that there is not before it plays', async () => {
    const player = pretending(() => 1)
    const entrants = [{ kind: 'as it is', choice: { name: 'nobody' } } as const]
    const refused = compare({ scenarios: [scenario], entrants, seeds: [1], tuningSeeds: [1], player })
    await expect(refused).rejects.toThrow('there is no controller nobody; there are none, fixed, seed, knee, aimd')
    expect(player.tasks).toEqual([])
    expect(() => controllerOf({ name: 'cubic-rate', parameters: { beta: 1 } })).toThrow('has no parameters to set')
  })

  it('plays every controller and every tuned peer, and the documented defaults are what is played untuned', async () => {
    const p50 = async (task: Omit<PlayTask, 'scenario' | 'seed'>): Promise<number | undefined> => {
      const { judgement, timeline } = await playTask({ scenario, seed: 1, ...task })
      expect(timeline).toEqual([])
      return judgement.phases.all?.p50Ms
    }
    for (const { name } of controllers) expect(await p50({ controller: { name } }), name).toBeGreaterThan(100)
    for (const { name, grid } of tunables) {
      const untuned = await p50({ controller: { name } })
      expect(await p50({ controller: { name, parameters: grid[0] } }), name).toBe(untuned)
    }
    expect(tunedEntrants).toHaveLength(tunables.length)
  })
})

describe('a timeline', () => {
  it('is the means over equal stretches, and its figures are those of the phases', async () => {
    const batched = world({
      ...{ durationS: 120, batch: { cores: 2, jobMs: 1000, cap: 12 }, phases: { all: whole(120) }, targets: [] },
      faults: [{ atS: 60, kind: 'batch', on: true }],
    })
    const played = await playTask({ scenario: batched, controller: { name: 'fixed' }, seed: 1, points: 50 })
    const { timeline } = played
    expect(timeline).toHaveLength(40)
    expect([timeline[0]?.fromMs, timeline[0]?.toMs, timeline.at(-1)?.toMs]).toEqual([0, 3000, 120_000])
    const mean = (of: 'inside' | 'limit') => timeline.reduce((sum, point) => sum + point[of], 0) / timeline.length
    const all = played.judgement.phases.all as Statistics
    expect(mean('inside')).toBeCloseTo(all.meanInside, 9)
    expect(mean('limit')).toBe(35)
    expect(timeline.slice(0, 20).every(({ batchSlowdown }) => batchSlowdown === null)).toBe(true)
    expect(timeline.at(-2)?.batchSlowdown).toBeGreaterThanOrEqual(1)
  })
})
