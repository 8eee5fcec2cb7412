import { describe, expect, it } from 'vitest'
import {
  type Driver,
  type DriverAnswer,
  type DriverRun,
  driverOf,
  inProcess,
  runSession,
  serveDriver,
} from '../src/driver.js'
import { entriesOf, type Subject } from '../src/index.js'
import { five, retryTable, rows, scenario, scenarioTable } from './driver-table.js'
import { send, sendsAfter } from './small-subject.js'
import { testClock } from './test-clock.js'

const HELLO = { name: 'one', language: 'TypeScript', version: '0', suites: ['retry-cases'], features: [] }

/** What a driver says to these pieces of input. */
async function conversation(driver: Driver, pieces: readonly (string | Uint8Array)[]): Promise<unknown[]> {
  const said: string[] = []
  await serveDriver({
    driver,
    input: (async function* () {
      yield* pieces
      // An answer that needs a turn of the event loop has it.
      await new Promise((resolve) => setTimeout(resolve, 20))
    })(),
    output: { write: (text) => said.push(text) },
  })
  return said.map((text) => {
    expect(text.endsWith('\n')).toBe(true)
    return JSON.parse(text)
  })
}

const lines = (...messages: object[]): string => messages.map((message) => `${JSON.stringify(message)}\n`).join('')
const run = (seq: number, id: string): object => ({ cmd: 'run', seq, suite: 'retry-cases', policy: {}, case: { id } })

describe('serveDriver', () => {
  const driver: Driver = {
    hello: HELLO,
    async run({ case: { id } }) {
      if (id === 'bad') throw new RangeError('no such thing')
      if (id === 'slow') await new Promise((resolve) => setTimeout(resolve, 5))
      return { skipped: id }
    },
  }

  it('answers hello and runs, as they end, and ignores what it does not know', async () => {
    const text = lines({ cmd: 'hello', protocol: 1, more: true }, { cmd: 'dance' }, run(1, 'slow'), run(2, 'ünï'))
    expect(await conversation(driver, [`\n${text}`, 'no JSON\n[1]\n', lines(run(3, 'bad'))])).toEqual([
      HELLO,
      { seq: 2, skipped: 'ünï' },
      { seq: 3, error: 'RangeError: no such thing' },
      { seq: 1, skipped: 'slow' },
    ])
  })

  it('takes its input in any pieces, also in the middle of a character', async () => {
    const bytes = new TextEncoder().encode(lines(run(1, 'ünï')))
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte))
    expect(await conversation(driver, pieces)).toEqual([{ seq: 1, skipped: 'ünï' }])
  })

  it('refuses another protocol in words', async () => {
    expect(await conversation(driver, [lines({ cmd: 'hello', protocol: 2 })])).toEqual([
      { error: 'the runner speaks protocol 2, and this driver speaks 1' },
    ])
  })

  it('ends at bye, whatever follows, and aborts what still runs', async () => {
    let aborted = false
    const endless: Driver = {
      hello: HELLO,
      run: (_, signal) =>
        new Promise<DriverAnswer>(() => {
          signal.addEventListener('abort', () => {
            aborted = true
          })
        }),
    }
    expect(
      await conversation(endless, [lines(run(1, 'endless'), { cmd: 'bye' }, { cmd: 'hello', protocol: 1 })]),
    ).toEqual([])
    expect(aborted).toBe(true)
  })
})

describe('driverOf', () => {
  const about = { name: 'small', version: '2', makeClock: testClock }
  const asked = (row: (typeof rows)[keyof typeof rows], random: number): DriverRun => {
    const { expect: _, ...rest } = row
    return { suite: 'retry-cases', policy: { max_attempts: 4, base_ms: 250 }, case: rest, random }
  }
  const answer = (subject: Subject, one: DriverRun): Promise<DriverAnswer> =>
    inProcess(driverOf(subject, about)).run(one)

  it('says what it can do', () => {
    const { hello } = driverOf({ ...sendsAfter([]), features: ['hints'] }, about)
    expect(hello).toEqual({
      name: 'small',
      language: 'TypeScript',
      version: '2',
      suites: ['retry-cases', 'call-scenarios'],
      features: ['hints'],
    })
  })

  it('makes a call of a retry case, and tells what was measured', async () => {
    expect(await answer(sendsAfter([1000]), asked(rows.stated, 0))).toEqual({ actual: { retry: true, wait_ms: 1000 } })
    const surfaced = sendsAfter([], { reason: 'wait_over_cap', retry_after_ms: 11_000 })
    expect(await answer(surfaced, asked(rows.overCap, 0))).toEqual({
      actual: { retry: false, fail_fast: true, reason: 'wait_over_cap', retry_after_ms: 11_000 },
    })
    const refusing: Subject = { call: async () => ({ policy_error: 'max_attempts' }) }
    expect(await answer(refusing, asked(rows.badPolicy, 0))).toEqual({ actual: { policy_error: 'max_attempts' } })
  })

  it('tells as an error what must hold of every call, and does not', async () => {
    const more = sendsAfter([1000, 1000])
    expect(await answer(more, asked(rows.stated, 0))).toEqual({ error: 'sends: expected 2, got 3' })
    const boasting = sendsAfter([1000], { attempts: 7 })
    expect(await answer(boasting, asked(rows.stated, 0))).toEqual({ error: 'attempts: expected 2, got 7' })
    const early = sendsAfter([30, 1000])
    expect(await answer(early, asked({ ...rows.stated, attempt: 2 }, 0))).toEqual({
      error: 'wait 1, after a 429 that asks for 0 ms: expected 0, got 30',
    })
    const late: Subject = {
      async call(call) {
        await send(call)
        return { policy_error: 'base_ms' }
      },
    }
    expect(await answer(late, asked(rows.stated, 0))).toEqual({
      error: 'the policy was refused for base_ms after 1 sends',
    })
  })

  it('asks the decision function about rows of scope decision alone', async () => {
    const row = { ...rows.stated, scope: 'decision' as const, waited_ms: 5 }
    expect(await answer(sendsAfter([]), asked(row, 0.5))).toEqual({ skipped: 'no decision function' })
    const deciding: Subject = {
      ...sendsAfter([]),
      decide: ({ waited_ms, random }) => ({ retry: true, wait_ms: waited_ms + random }),
    }
    expect(await answer(deciding, asked(row, 0.5))).toEqual({ actual: { retry: true, wait_ms: 5.5 } })
  })

  it('plays scenarios, and judged through the protocol they come to what a replay comes to', async () => {
    const answers = [{ status: 503, after_ms: 10 }, { status: 429 }, { status: 200, after_ms: 5 }]
    const right = {
      sends: 3,
      waits_ms: [100, 200],
      outcome: 'ok',
      status: 200,
      ended_at_ms: 315,
      body_released: 2,
    } as const
    const table = scenarioTable(
      scenario('right', { answers, expect: right }),
      scenario('wrong', { answers, expect: { ...right, body_released: 3 } }),
    )
    const session = inProcess(driverOf(sendsAfter([100, 200]), about))
    const [report] = await runSession(session, { tables: [table] })
    expect(report?.result.results.map(({ verdict, mismatches }) => [verdict, mismatches])).toEqual([
      ['passed', []],
      ['failed', [{ field: 'body_released', expected: 3, actual: 2 }]],
    ])
  })

  it('announces only what it was given the means for', async () => {
    const bare = driverOf(sendsAfter([]), { name: 'bare', version: '0' })
    expect(bare.hello.suites).toEqual([])
    const [report] = await runSession(inProcess(bare), { tables: [retryTable(rows.stated)] })
    expect(report?.result.skipped.byReason).toEqual({ 'does not run retry-cases': 1 })
    const [entry] = entriesOf(five)
    if (entry === undefined) throw new Error('there are five')
    expect(await bare.run(asked(rows.stated, 0), new AbortController().signal)).toEqual({
      skipped: 'no clock for retry-cases',
    })
  })

  it('a subject that throws fails its case, and no other', async () => {
    const throwing: Subject = {
      call() {
        throw new RangeError('no such thing')
      },
    }
    expect(await answer(throwing, asked(rows.stated, 0))).toEqual({
      error: 'sends: expected 1, got 0; call: expected an outcome, got threw RangeError: no such thing',
    })
  })
})
