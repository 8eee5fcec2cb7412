import { describe, expect, it } from 'vitest'
import { driverOf, inProcess, runOf, runSession } from '../src/driver.js'
import {
  entriesOf,
  explainCase,
  type IngestScenario,
  type IngestTable,
  type MachineStep,
  runCase,
  runTable,
  type Subject,
} from '../src/index.js'
import { type MachineBreaks, smallMachine } from './small-machine.js'
import { testClock } from './test-clock.js'

const call: Subject['call'] = () => Promise.reject(new Error('no scenario makes a call'))
const subject = (breaks?: MachineBreaks): Subject => ({
  call,
  machine: (_, config, clock, saved) => smallMachine(config, clock, saved, breaks),
})

const scenario = (...steps: MachineStep[]): IngestScenario => ({
  ...{ id: 'ingest-scenarios/one', rule: 'I1', level: 'must', needs: [], name: 'One.', machine: 'small' },
  steps,
})
const table = (...cases: IngestScenario[]): IngestTable => ({
  ...{ suite: 'ingest-scenarios', file: 'ingest.json', version: '1.0.0', config: { small: { step: 2 } }, cases },
})
const entryOf = (row: IngestScenario) => {
  const [entry] = entriesOf(table(row))
  if (entry === undefined) throw new Error('there is one')
  return entry
}
const run = (row: IngestScenario, breaks?: MachineBreaks) => runCase(entryOf(row), subject(breaks), testClock)
const said = async (steps: MachineStep[], breaks?: MachineBreaks) => {
  const { mismatches } = await run(scenario(...steps), breaks)
  return mismatches.map(({ field, expected, actual }) => [field, expected, actual])
}

const GOOD: MachineStep[] = [
  { add: { by: 3, key: 'k' }, expect: { count: 6, added: 3, key: 'k', wall: 0 } },
  { advance_ms: 5, expect: { wall: 5, key: null } },
  {
    watch: { saturated: true, for_ms: 2000, rows_per_second: 10 },
    expect: {
      count: 26,
      observed: [
        [5, true],
        [1005, true],
        [2005, true],
      ],
    },
  },
  { restart: true, expect: { count: 26, observed: [], wall: 0 } },
]

describe('a scenario of a machine', () => {
  it('passes where every step is as it says', async () => {
    const expected = { verdict: 'passed', mismatches: [], sends: 0, mustSend: false, draw: null }
    expect(await run(scenario(...GOOD))).toMatchObject(expected)
  })

  it('compares what is stated: numbers within a millionth, of objects some fields, lists whole', async () => {
    const add = { add: { by: 500_000 } }
    expect(await said([{ ...add, expect: { count: 1_000_001 } }])).toEqual([])
    expect(await said([{ ...add, expect: { count: 1_000_002 } }])).toEqual([['steps[0].count', 1_000_002, 1_000_000]])
    expect(await said([{ ...add, expect: { count: '1000000', key: undefined, more: 1 } }])).toEqual([
      ['steps[0].count', '1000000', 1_000_000],
      ['steps[0].key', undefined, null],
      ['steps[0].more', 1, undefined],
    ])
    const observed = [
      [0, true],
      [1000, true],
    ]
    const watch = { watch: { saturated: true, for_ms: 1000 } }
    expect(await said([{ ...watch, expect: { observed } }])).toEqual([])
    expect(await said([{ ...watch, expect: { observed: [[0, true]] } }])).toEqual([
      ['steps[0].observed', [[0, true]], observed],
    ])
    expect(await said([{ ...watch, expect: { observed: [observed[0], [1001, true]] } }])).toEqual([
      ['steps[0].observed[1][0]', 1001, 1000],
    ])
  })

  it('fails where the machine goes otherwise, breaks, or leaves a timer', async () => {
    expect(await said(GOOD, 'counts-twice')).toContainEqual(['steps[0].count', 6, 12])
    expect(await said(GOOD, 'forgets')).toEqual([['steps[3].count', 26, 0]])
    const timer = await said([{ add: {} }], 'leaves-a-timer')
    expect(timer).toEqual([['machine', 'a reading a step', expect.stringContaining('1 timers run')]])
    const unknown = await said([{ flush: {} }])
    expect(unknown).toEqual([['machine', 'a reading a step', expect.stringContaining('no step flush')]])
    const two = await said([{ add: {}, advance_ms: 1 }])
    expect(two).toEqual([['machine', 'a reading a step', expect.stringContaining('steps[0] does not do one thing')]])
  })

  it('a config that is refused is told by its field, and without machines a row is skipped', async () => {
    const refused = { ...scenario({ add: {} }), config: { step: null } }
    expect((await run(refused)).mismatches).toEqual([{ field: 'config_error', expected: undefined, actual: 'step' }])
    const { skipped } = await runTable(table(scenario({ add: {} })), { call }, testClock)
    expect(skipped.byReason).toEqual({ 'no machines': 1 })
  })
})

describe('as a driver is asked it', () => {
  it('has the config of its own machine, and no expectation', () => {
    const row = { ...scenario(...GOOD), config: { more: 1 } }
    const { expect: _, ...first } = GOOD[0] ?? {}
    expect(runOf(entryOf(row), [])).toMatchObject({
      ...{ suite: 'ingest-scenarios', config: { step: 2, more: 1 } },
      case: { machine: 'small', steps: [first, { advance_ms: 5 }, {}, { restart: true }] },
    })
    expect(JSON.stringify(runOf(entryOf(row), []))).not.toContain('expect')
    expect(explainCase('one', [table(row)])).toContain(
      'machine: small\n  config, where it differs from the table’s: more 1',
    )
  })

  it('is judged by what the driver answers', async () => {
    const tables = [
      table(scenario(...GOOD), { ...scenario({ add: {}, expect: { count: 3 } }), id: 'ingest-scenarios/two' }),
    ]
    const driver = driverOf(subject(), { name: 'small', version: '0', makeClock: testClock })
    expect(driver.hello.suites).toContain('ingest-scenarios')
    const [report] = await runSession(inProcess(driver), { tables })
    expect(report?.result.results.map(({ verdict, mismatches }) => [verdict, mismatches])).toEqual([
      ['passed', []],
      ['failed', [{ field: 'steps[0].count', expected: 3, actual: 2 }]],
    ])
    const refusing = { ...driver, run: async () => ({ actual: { config_error: 'step' } }) }
    const [other] = await runSession(inProcess(refusing), { tables })
    expect(other?.result.results.map(({ mismatches }) => mismatches)).toEqual([
      [{ field: 'config_error', expected: undefined, actual: 'step' }],
      [{ field: 'config_error', expected: undefined, actual: 'step' }],
    ])
    const bare = driverOf({ call }, { name: 'bare', version: '0', makeClock: testClock })
    expect(bare.hello.suites).not.toContain('ingest-scenarios')
  })
})
