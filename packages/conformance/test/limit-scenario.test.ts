import { describe, expect, it } from 'vitest'
import { driverOf, inProcess, runOf, runSession } from '../src/driver.js'
import {
  entriesOf,
  explainCase,
  type LimitScenario,
  type LimitTable,
  loadTable,
  parseTable,
  runCase,
  runTable,
  type Subject,
  specTable,
} from '../src/index.js'
import { smallLimiter } from './small-limiter.js'
import { testClock } from './test-clock.js'

const CONFIG = { max_concurrent: 1, max_queue: 2, queue_timeout_ms: 1000, window_ms: 100 }
type Breaks = Parameters<typeof smallLimiter>[2]

const call: Subject['call'] = () => Promise.reject(new Error('no scenario makes a call'))
const subject = (breaks?: Breaks): Subject => ({ call, limit: (config, clock) => smallLimiter(config, clock, breaks) })

const scenario = (...steps: LimitScenario['steps']): LimitScenario => ({
  ...{ id: 'backoff-scenarios/one', rule: 'L13', level: 'must', needs: [], name: 'One.' },
  steps,
})
const table = (...cases: LimitScenario[]): LimitTable => ({
  ...{ suite: 'backoff-scenarios', file: 'limit.json', version: '1.0.0', config: CONFIG, cases },
})
const run = async (row: LimitScenario, breaks?: Breaks) => {
  const [entry] = entriesOf(table(row))
  if (entry === undefined) throw new Error('there is one')
  return runCase(entry, subject(breaks), testClock)
}
const said = async (...steps: LimitScenario['steps']) => {
  const { mismatches } = await run(scenario(...steps))
  return mismatches.map(({ field, expected, actual }) => [field, expected, actual])
}

describe('a scenario', () => {
  it('passes where every step is as it says', async () => {
    const row = scenario(
      { arrive: 4, expect: { started: 1, in_flight: 1, queued: 2, rejected: 1, refused: { queue_full: 1 } } },
      { finish: 1, expect: { started: 1, queued: 1, rejected: 0, refused: {} } },
      { abort: 1, expect: { queued: 0, rejected: 0 } },
      { arrive: { count: 1, cap_ms: 5 }, expect: { queued: 1 } },
      { advance_ms: 999, expect: { queued: 1 } },
      { advance_ms: 1, expect: { queued: 0, refused: { queue_timeout: 1 } } },
      { retry: 1, expect: { queued: 1 } },
      { window: { latency_ms: 5, count: 3 }, expect: { held: false, hold_until_ms: null, p90_ms: null } },
    )
    expect(await run(row)).toMatchObject({ verdict: 'passed', mismatches: [], sends: 0, mustSend: false, draw: null })
  })

  it('hands what one limiter saved to the next, so much later, of a backend of its own', async () => {
    const made: unknown[] = []
    const limit: Subject['limit'] = (config, clock, saved) => {
      made.push([config.backend_id, clock.now(), clock.wallNow(), saved])
      return { ...smallLimiter(config, clock), save: () => ({ baseline: made.length }) }
    }
    const row = scenario(
      { arrive: 2, expect: { in_flight: 1, queued: 1 } },
      { advance_ms: 5 },
      { restart: { after_ms: 7, backend_id: 'b' }, expect: { in_flight: 0, queued: 0, rejected: 0 } },
      { restart: { after_ms: 0 }, expect: { queued: 0 } },
    )
    const [entry] = entriesOf(table(row))
    if (entry === undefined) throw new Error('there is one')
    expect((await runCase(entry, { call, limit }, testClock)).mismatches).toEqual([])
    const began = Number((made[0] as unknown[])[2])
    expect(made).toEqual([
      [undefined, 0, began, undefined],
      ['b', 0, began + 12, { baseline: 1 }],
      [undefined, 0, began + 12, { baseline: 2 }],
    ])
  })

  it('fails where a config is taken that is to be refused, or is refused for another field', async () => {
    const row = { ...scenario(), config: { max_queue: -1 }, config_error: 'max_queue' }
    const difference = async (limit: NonNullable<Subject['limit']>) => {
      const [entry] = entriesOf(table(row))
      if (entry === undefined) throw new Error('there is one')
      return (await runCase(entry, { call, limit }, testClock)).mismatches
    }
    expect(await difference(() => ({ config_error: 'max_queue' }))).toEqual([])
    const [field, expected] = ['config_error', 'max_queue']
    expect(await difference(smallLimiter)).toEqual([{ field, expected, actual: undefined }])
    expect(await difference(() => ({ config_error: 'floor' }))).toEqual([{ field, expected, actual: 'floor' }])
  })

  it('lets a call that ends with a latency tell it through its slot, and then end', async () => {
    const told: unknown[] = []
    const limit: Subject['limit'] = (config, clock) => {
      const small = smallLimiter(config, clock)
      return {
        ...small,
        async arrive(asked) {
          const arrival = await small.arrive(asked)
          if (!('slot' in arrival)) return arrival
          const { slot } = arrival
          const sample = (...figures: [number, boolean]) => told.push([...figures, small.read().in_flight])
          return { slot: { sample, release: () => slot.release() } }
        },
      }
    }
    const steps = [{ arrive: 2 }, { finish: 1 }, { arrive: 1 }, { finish: { count: 1, latency_ms: 7, timeout: true } }]
    const ends = { finish: { count: 1, latency_ms: 8 }, expect: { in_flight: 0, queued: 0 } }
    const [entry] = entriesOf(table(scenario(...steps, ends)))
    if (entry === undefined) throw new Error('there is one')
    expect((await runCase(entry, { call, limit }, testClock)).mismatches).toEqual([])
    expect(told).toEqual([
      [7, true, 1],
      [8, false, 1],
    ])
  })

  it('names the step and the field that went otherwise', async () => {
    const off = { arrive: 2, expect: { started: 2, queued: 0, limit: 1, refused: { held: 1 }, retry_after_ms: 7 } }
    expect(await said({ advance_ms: 1 }, off)).toEqual([
      ['steps[1].started', 2, 1],
      ['steps[1].queued', 0, 1],
      ['steps[1].retry_after_ms', 7, null],
      ['steps[1].refused.held', 1, 0],
    ])
  })

  it('compares figures within a millionth, ranges inclusively, and null with null alone', async () => {
    const figures = async (ratio: number, expected: number | { min: number; max: number } | null) => {
      const limit: Subject['limit'] = (config, clock) => {
        const small = smallLimiter(config, clock)
        return { ...small, read: () => ({ ...small.read(), ratio }) }
      }
      const [entry] = entriesOf(table(scenario({ advance_ms: 0, expect: { ratio: expected } })))
      return entry && (await runCase(entry, { call, limit }, testClock)).verdict
    }
    expect(await figures(1.0000009, 1)).toBe('passed')
    expect(await figures(1.0000011, 1)).toBe('failed')
    expect(await figures(2, { min: 1, max: 2 })).toBe('passed')
    expect(await figures(2.1, { min: 1, max: 2 })).toBe('failed')
    expect(await figures(Number.NaN, { min: 1, max: 2 })).toBe('failed')
    expect(await figures(0, null)).toBe('failed')
  })

  it.each<[Breaks, string, number]>([
    ['count', 'Error: it says that 0 are queued, and 1 wait', 2],
    ['throws', 'Error: a call ended with what is no refusal: Error: out of slots', 1],
    ['dispose', 'Error: 1 calls still wait after it was disposed', 2],
    ['timer', 'Error: 1 timers run while nobody waits', 1],
    ['timer', 'Error: 2 timers are left after the limiter was disposed', 2],
  ])('a limiter that is wrong in its %s fails, whatever the row states', async (breaks, message, calls) => {
    const { verdict, mismatches } = await run(scenario({ arrive: calls }), breaks)
    expect([verdict, mismatches]).toEqual([
      'failed',
      [{ field: 'limiter', expected: 'a reading a step', actual: message }],
    ])
  })

  it('a step that takes what is not there is a mistake of the row, and fails', async () => {
    expect(await said({ finish: 1 })).toEqual([
      ['limiter', 'a reading a step', 'Error: a step takes 1 calls, and 0 are in flight'],
    ])
  })

  it('a config that is refused is a mismatch, and a subject without a limiter is skipped', async () => {
    const [entry] = entriesOf(table(scenario({ arrive: 1 })))
    if (entry === undefined) throw new Error('there is one')
    const refusing: Subject = { call, limit: () => ({ config_error: 'max_queue' }) }
    expect((await runCase(entry, refusing, testClock)).mismatches).toEqual([
      { field: 'config_error', expected: undefined, actual: 'max_queue' },
    ])
    expect(await runCase(entry, { call }, testClock)).toMatchObject({ verdict: 'skipped', skipReason: 'no limiter' })
  })
})

describe('the published scenarios', () => {
  const published = loadTable(specTable('backoff-scenarios'))

  it('are failed by a limiter that does not adapt, rule by rule', async () => {
    const { results, failed, passed } = await runTable(published, subject(), testClock)
    const caught = new Set(results.filter(({ verdict }) => verdict === 'failed').map(({ rule }) => rule))
    expect(passed).toBeGreaterThan(5) // it has a queue
    expect(failed).toBeGreaterThan(100)
    // L13 is what it does right, but for the slot that wins over the timeout.
    expect([...caught].sort()).toEqual(Array.from({ length: 21 }, (_, i) => `L${i + 1}`).sort())
  })

  it('go over the driver protocol: the config in place of a policy, the steps without what they expect', async () => {
    const row = scenario({ arrive: 2, expect: { started: 1 } }, { advance_ms: 1000, expect: { rejected: 1 } })
    const own = { ...row, config: { max_queue: 9 } }
    const [entry] = entriesOf(table(own))
    if (entry === undefined) throw new Error('there is one')
    expect(runOf(entry, [])).toEqual({
      suite: 'backoff-scenarios',
      config: { ...CONFIG, max_queue: 9 },
      case: { ...own, steps: [{ arrive: 2 }, { advance_ms: 1000 }] },
    })
    const driver = driverOf(subject(), { name: 'small', version: '1', makeClock: testClock })
    expect(driver.hello.suites).toEqual(['retry-cases', 'call-scenarios', 'backoff-scenarios'])
    const wrong = scenario({ arrive: 2, expect: { started: 2 } })
    const [report] = await runSession(inProcess(driver), {
      tables: [table(row, { ...wrong, id: `${wrong.id}-wrong` })],
    })
    expect(report?.result.results).toMatchObject([
      { verdict: 'passed' },
      { verdict: 'failed', mismatches: [{ field: 'steps[0].started', expected: 2, actual: 1 }] },
    ])
  })

  it('a driver without a limiter does not announce them', () => {
    const { hello } = driverOf({ call }, { name: 'none', version: '1', makeClock: testClock })
    expect(hello.suites).toEqual(['retry-cases', 'call-scenarios'])
  })

  it('can be explained', () => {
    const text = explainCase('l13-timed-out', [published])
    expect(text).toMatch(/^L13: The queue is bounded, in number and in time/m)
    expect(text).toMatch(/2\. advance_ms 9999, expect \{"queued":1,"rejected":0\}/)
    expect(text).toMatch(/config, where it differs from the table’s: max_concurrent 1/)
    expect(text).toContain('"config":{"controller":"windowed","max_concurrent":1,')
  })
})

describe('a table of scenarios', () => {
  const problem = (row: object): string => {
    const head = { suite: 'backoff-scenarios', version: '1.0.0', config: {} }
    const one = { id: 'backoff-scenarios/a', rule: 'L1', level: 'must', name: 'A.', steps: [{ arrive: 1 }], ...row }
    const full = { ...head, config: loadTable(specTable('backoff-scenarios')), cases: [one] }
    const config = 'config' in full.config ? full.config.config : {}
    try {
      parseTable(JSON.stringify({ ...full, config }), 'bad.json')
      return ''
    } catch (error) {
      return String(error)
    }
  }

  it.each([
    [{ rule: 'R1' }, /rule is "R1"; allowed: L1–L21/],
    [{ config: { max_concurent: 1 } }, /config\.max_concurent is unknown; allowed: controller, max_concurrent, floor/],
    [{ steps: [] }, /steps is \[\]/],
    [{ steps: [{ expect: { limit: 1 } }] }, /steps\[0\]/],
    [{ steps: [{ arrive: 1, finish: 1 }] }, /steps\[0\]/],
    [{ steps: [{ arrive: 1, expect: { limits: 1 } }] }, /expect\.limits is unknown/],
    [{ steps: [{ throttle: {} }] }, /retry_after_ms is missing/],
    [{ steps: [{ finish: { count: 1 } }] }, /finish\.latency_ms is missing/],
  ])('%j is refused', (row, says) => {
    expect(problem({})).toBe('')
    expect(problem(row)).toMatch(says)
  })
})
