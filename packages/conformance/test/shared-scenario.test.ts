import { describe, expect, it } from 'vitest'
import { driverOf, inProcess, runOf, runSession } from '../src/driver.js'
import { entriesOf, runCase, type SharedScenario, type SharedSubject, type Subject } from '../src/index.js'
import { scenarioTable } from './driver-table.js'
import { send } from './small-subject.js'
import { testClock } from './test-clock.js'

const READING = {
  ...{ limit: 1, throttle_ceiling: 1, latency_ceiling: 1, in_flight: 0, queued: 0, held: false, hold_until_ms: null },
  ...{ trust: 'unknown', p90_ms: null, smoothed_ms: null, baseline_ms: null, ratio: null },
}
type Breaks = 'nothing' | 'headers' | 'hangs' | 'timer' | 'throws'

/** Calls that take turns, one at a time, and retry nothing; `breaks` makes them wrong in one way. */
function turns(breaks: Breaks): SharedSubject {
  let [inFlight, waiting] = [0, 0]
  let turn: Promise<unknown> = Promise.resolve()
  return {
    async call(made) {
      if (breaks === 'throws') throw new Error('no slot')
      const since = made.clock.now()
      const before = turn
      let release = (): void => undefined
      turn = new Promise<void>((resolve) => {
        release = resolve
      })
      waiting++
      await before
      waiting--
      if (breaks === 'hangs') await new Promise(() => undefined)
      if (breaks === 'timer') made.clock.timer(1000, () => undefined)
      inFlight++
      const waited_ms = made.clock.now() - since
      const answer = await send(made)
      const over = (): void => {
        inFlight--
        release()
      }
      if (breaks === 'headers') over()
      return {
        ...{ outcome: 'ok', status: answer.status, failure: null, reason: null, retry_after_ms: null },
        ...{ attempts: 1, waited_ms },
        read: () => answer.text().finally(() => breaks !== 'headers' && over()),
      }
    },
    read: () => ({ ...READING, in_flight: inFlight, queued: waiting }),
  }
}

const sharing =
  (breaks: Breaks = 'nothing'): NonNullable<Subject['share']> =>
  ({ limiter }) =>
    limiter.max_queue === -1 ? { config_error: 'max_queue' } : turns(breaks)

const subject = (breaks?: Breaks): Subject => ({
  call: () => Promise.reject(new Error('no row makes a call by itself')),
  share: sharing(breaks),
})

const answers = [{ status: 200, after_ms: 10, body_ms: 30 }]
const row = (change: Partial<SharedScenario> = {}): SharedScenario => ({
  ...{ id: 'call-scenarios/turns', rule: 'L12', level: 'must', needs: ['limiter'], name: 'Turns.', catches: 'None.' },
  limiter: {},
  calls: [
    { answers, expect: { sends: 1, sent_at_ms: [0], outcome: 'ok', waited_ms: 0, ended_at_ms: 10, body_released: 0 } },
    { at_ms: 5, answers, expect: { sends: 1, sent_at_ms: [40], outcome: 'ok', waited_ms: 35, ended_at_ms: 50 } },
  ],
  looks: [
    { at_ms: 20, expect: { in_flight: 1, queued: 1 } },
    { at_ms: 100, expect: { in_flight: 0, queued: 0 } },
  ],
  ...change,
})

const entryOf = (of: SharedScenario) => {
  const [entry] = entriesOf({ ...scenarioTable(), cases: [of] })
  if (entry === undefined) throw new Error('there is one')
  return entry
}
const run = (of: SharedScenario, breaks?: Breaks) => runCase(entryOf(of), subject(breaks), testClock)
const said = async (of: SharedScenario, breaks?: Breaks) =>
  (await run(of, breaks)).mismatches.map(({ field, expected, actual }) => [field, expected, actual])

describe('calls that share a limiter', () => {
  it('pass where each is as it says, and the limiter at each look', async () => {
    expect(await run(row())).toMatchObject({ verdict: 'passed', mismatches: [], sends: 6, mustSend: true })
  })

  it('name the call or the look, and the field that went otherwise', async () => {
    expect(await said(row(), 'headers')).toEqual([
      ['calls[1].sent_at_ms', [40], [10]],
      ['calls[1].ended_at_ms', 50, 20],
      ['calls[1].waited_ms', 35, 5],
      ['looks[0].in_flight', 1, 0],
      ['looks[0].queued', 1, 0],
    ])
  })

  it('a call that never ends, that throws, or that leaves a timer', async () => {
    const hangs = await said(row(), 'hangs')
    expect(hangs).toContainEqual(['calls[0].call', 'an outcome', 'never settled: Error: nothing is left to fire'])
    expect(hangs).toContainEqual(['looks[0]', 'a reading', undefined])
    expect(await said(row(), 'throws')).toContainEqual(['calls[1].call', 'an outcome', 'threw Error: no slot'])
    const timer = await said(row({ looks: [] }), 'timer')
    expect(timer).toEqual([
      ['calls[0].timers left after the call', 0, 2],
      ['calls[1].timers left after the call', 0, 2],
    ])
  })

  it('a config that is refused', async () => {
    expect(await said(row({ limiter: { max_queue: -1 } }))).toEqual([['config_error', undefined, 'max_queue']])
  })

  it('a subject that makes no such calls skips them, and is told so', async () => {
    const { call } = subject()
    expect(await runCase(entryOf(row()), { call }, testClock)).toMatchObject({ skipReason: 'no limiter' })
    const bare = { call, share: sharing(), features: ['hints'] }
    expect(await runCase(entryOf(row()), bare, testClock)).toMatchObject({ skipReason: 'needs limiter' })
  })
})

describe('as a driver is asked', () => {
  const session = (breaks?: Breaks, features = ['limiter']) =>
    inProcess(driverOf(subject(breaks), { name: 'small', version: '1', features, makeClock: testClock }))
  const table = (of: SharedScenario) => ({ ...scenarioTable(), cases: [of] })
  const results = async (of: SharedScenario, breaks?: Breaks, features?: string[]) => {
    const [report] = await runSession(session(breaks, features), { tables: [table(of)] })
    return report?.result.results.map(({ verdict, skipReason, mismatches }) => ({
      ...{ verdict, skipReason },
      fields: mismatches.map(({ field }) => field),
    }))
  }

  it('it is told neither what is expected nor what is caught, and each call has its whole policy', () => {
    const own = row({ policy: { base_ms: 8 } })
    const [first, ...others] = own.calls
    if (first === undefined) throw new Error('there is one')
    const calls = [{ ...first, policy: { max_attempts: 1 } }, ...others]
    const asked = runOf(entryOf({ ...own, calls }), [0])
    expect(JSON.stringify(asked)).not.toMatch(/expect|catches/)
    const whole = { max_attempts: 4, base_ms: 8, per_attempt_cap_ms: 10_000, total_cap_ms: 30_000 }
    expect(asked).toMatchObject({
      policy: whole,
      case: { calls: [{ policy: { ...whole, max_attempts: 1 } }, { policy: whole }], looks: [{ at_ms: 20 }, {}] },
    })
  })

  it('it passes, differs by field, or is skipped', async () => {
    expect(await results(row())).toEqual([{ verdict: 'passed', skipReason: null, fields: [] }])
    expect(await results(row(), 'headers')).toEqual([
      {
        ...{ verdict: 'failed', skipReason: null },
        fields: [
          ...['calls[1].sent_at_ms', 'calls[1].waited_ms', 'calls[1].ended_at_ms'],
          ...['looks[0].in_flight', 'looks[0].queued'],
        ],
      },
    ])
    expect(await results(row(), 'timer')).toEqual([{ verdict: 'failed', skipReason: null, fields: ['driver'] }])
    expect(await results(row({ limiter: { max_queue: -1 } }))).toMatchObject([{ fields: ['config_error'] }])
    expect(await results(row(), 'nothing', [])).toMatchObject([{ verdict: 'skipped', skipReason: 'needs limiter' }])
  })

  it('fewer calls than were asked, and a look too few, are mismatches', async () => {
    const made = session()
    const lame = { ...made, run: async () => ({ actual: { calls: [], looks: [] } }) }
    const [report] = await runSession(lame, { tables: [table(row())] })
    const fields = report?.result.results.flatMap(({ mismatches }) => mismatches.map(({ field }) => field))
    expect(fields).toEqual(expect.arrayContaining(['calls', 'calls[0].sends', 'looks[1].in_flight']))
  })
})
