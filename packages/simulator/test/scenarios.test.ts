import schema from '@sluice/spec/schema/simulation-scenario.schema.json' with { type: 'json' }
import Ajv from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import type { Controller } from '../src/controllers/controller.js'
import { oracle } from '../src/controllers/oracle.js'
import { none, seed } from '../src/controllers/ours.js'
import { peers } from '../src/controllers/peers/peers.js'
import { judge } from '../src/scenario/judge.js'
import { play } from '../src/scenario/play.js'
import { files, named, read, sooner } from './scenarios-files.js'

const peer = (name: string): Controller => peers.find((it) => it.name === name) ?? none

describe('scenarios', () => {
  const valid = new Ajv.default({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema)

  it.each(files)('%s is as the schema says, and named as it is numbered', (file) => {
    const json = read(file) as { id: string; number: number; phases: object; targets: { phase: string }[] }
    expect(valid(json), JSON.stringify(valid.errors)).toBe(true)
    expect(file).toBe(`${String(json.number).padStart(2, '0')}-${json.id}.json`)
    for (const { phase } of json.targets) expect(Object.keys(json.phases)).toContain(phase)
  })

  it('a target of a phase that there is not is told', async () => {
    const short = {
      ...named('sparse'),
      durationS: 60,
      faults: [],
      targets: [{ phase: 'none', statistic: 'calls' as const }],
    }
    const recording = await play(short, none, 1)
    expect(() => judge(short, recording)).toThrow('sparse: a target is of the phase "none", and there is none')
  })

  it('the surge is the incident: 9 in flight before it, 25 to 31 in it, and batch 1.3 to 1.8 times slower', async () => {
    const surge = sooner(named('surge-double'), 5 * 3600, 2.5 * 3600)
    const { phases } = judge(surge, await play(surge, none, 1001))
    expect(phases.normal?.meanInside).toBeGreaterThan(8)
    expect(phases.normal?.meanInside).toBeLessThan(10)
    expect(phases.surge?.meanInside).toBeGreaterThan(25)
    expect(phases.surge?.meanInside).toBeLessThan(31)
    expect(phases.surge?.batchSlowdown).toBeGreaterThan(1.3)
    expect(phases.surge?.batchSlowdown).toBeLessThan(1.8)
  })

  it('retries keep a server down after a brownout, and one that knows what it bears recovers', async () => {
    const large = sooner(named('metastable'), 240, 300)
    const quarter = {
      ...large,
      server: { ...large.server, cores: 6 },
      load: { ...large.load, ratePerSecond: 24 },
      client: { ...large.client, maxConcurrent: 15 },
    }
    const naive = { ...quarter, client: { ...quarter.client, retryBudget: false, maxQueue: 1_000_000 } }
    const down = judge(naive, await play(naive, none, 1001)).phases.after
    expect(down?.okShare).toBeLessThan(0.5)
    expect(down?.amplification).toBeGreaterThan(2)
    const { targets } = judge(quarter, await play(quarter, oracle, 1001))
    expect(targets.filter(({ met }) => !met)).toEqual([])
  })

  it('a hold keeps 429s rare; a limit that does not know of it is refused again and again', async () => {
    const limited = sooner(named('rate-limited'), 600, 1200)
    const shareOf = async (controller: Controller) =>
      judge(limited, await play(limited, controller, 1001)).targets[0]?.value
    expect(await shareOf(seed)).toBeLessThan(0.05)
    expect(await shareOf(peer('aimd'))).toBeGreaterThan(0.2)
  })

  it('a call takes the same through execute() and past it', async () => {
    const once = sooner(named('capacity-lost'), 3000, 1500)
    const executed = { ...once, client: { ...once.client, policy: { maxAttempts: 1 } } }
    const [plain, whole] = [await play(once, seed, 3), await play(executed, seed, 3)]
    expect(whole.tookMs.values.join()).toBe(plain.tookMs.values.join())
    expect(whole.limit.values.join()).toBe(plain.limit.values.join())
  })
})
