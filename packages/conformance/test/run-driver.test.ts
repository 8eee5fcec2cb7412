import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { DriverError, type RunDriverOptions, runDriver, runOf } from '../src/driver.js'
import { type CaseResult, entriesOf, formatMismatch } from '../src/index.js'
import { five, retryTable, rows, scenario, scenarioTable } from './driver-table.js'
import { realClock } from './real-clock.js'

type Options = Partial<RunDriverOptions>
const fixture = (name: string): string => fileURLToPath(new URL(`./fixtures/drivers/${name}`, import.meta.url))
const run = (name: string, args: string[], options: Options = {}) =>
  runDriver({
    command: process.execPath,
    args: [fixture(name), ...args],
    tables: [five],
    clock: realClock,
    ...options,
  })
const small = (options: Options, change: object = {}) => run('small.mjs', [JSON.stringify(change)], options)
const misbehaving = (how: string, options: Options = {}) => run('misbehaving.mjs', [how], options)

/** The error of a run that must not end well. */
async function errorOf(running: Promise<unknown>): Promise<DriverError> {
  const error = await running.then(
    () => new Error('it ended well'),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(DriverError)
  return error as DriverError // as just seen
}

describe('a right driver', () => {
  it('is told the whole case, its policy merged, and nothing of what is expected', () => {
    const row = { ...rows.drawn, policy: { base_ms: 8 } }
    const [entry] = entriesOf(retryTable(row))
    if (entry === undefined) throw new Error('there is one')
    const { expect: _, ...rest } = row
    expect(runOf(entry, [0.5])).toEqual({
      suite: 'retry-cases',
      policy: { max_attempts: 4, base_ms: 8, per_attempt_cap_ms: 10_000, total_cap_ms: 30_000 },
      case: rest,
      random: 0.5,
    })
    expect(runOf(entry, [0.5, 0])).toMatchObject({ random: [0.5, 0] })
  })

  it('passes, with every draw', async () => {
    const { driver, suites } = await small({ tables: [retryTable(...Object.values(rows))] })
    expect(driver).toMatchObject({ name: 'small', language: 'JavaScript', version: '1.2.3', features: [] })
    expect(suites).toMatchObject([{ suite: 'retry-cases', file: 'retry-cases.json', result: { passed: 6, failed: 0 } }])
  })

  it('plays whole calls on a time of its own', async () => {
    const answers = [{ status: 429, headers: { 'retry-after': '1' } }, { status: 429, after_ms: 5 }, { status: 200 }]
    const right = scenario('two waits', {
      answers,
      random: [0.5, 0.2],
      expect: { sends: 3, waits_ms: [1000, [50, 50]], outcome: 'ok', status: 200, attempts: 3, ended_at_ms: 1055 },
    })
    const wrong = scenario('other waits', { ...right, expect: { sends: 2, waits_ms: [1000], outcome: 'gave_up' } })
    const { suites } = await small({ tables: [scenarioTable(right, { ...wrong, id: 'call-scenarios/other-waits' })] })
    expect(suites[0]?.result.results.map(({ verdict, sends }) => ({ verdict, sends }))).toEqual([
      { verdict: 'passed', sends: 3 },
      { verdict: 'failed', sends: 3 },
    ])
    expect(suites[0]?.result.results[1]?.mismatches).toEqual([
      { field: 'sends', expected: 2, actual: 3 },
      { field: 'waits_ms', expected: [1000], actual: [1000, 50] },
      { field: 'outcome', expected: 'gave_up', actual: 'ok' },
    ])
  })

  it('fails where it differs, and says with which draw', async () => {
    const wrong = { ...rows.drawn, expect: { retry: true, wait_ms_min: 0, wait_ms_max: 200 } }
    const told = { ...rows.overCap, expect: { retry: false } }
    const { suites } = await small({ tables: [retryTable(wrong, told)] })
    expect(suites[0]?.result.results.map(formatMismatch)).toEqual([
      'R1 retry-cases/a-drawn-wait: a drawn wait (random 0.9999999999999999)\n  wait_ms: expected 0 to 200, got 249',
      // Absent means false, and is compared.
      'R1 retry-cases/over-the-cap: over the cap (random 0)\n  fail_fast: expected false, got true',
    ])
  })

  it('is not asked what it cannot do: that is skipped, with a reason', async () => {
    const needy = { ...rows.stated, needs: ['hints'] }
    const { suites } = await small(
      { tables: [retryTable(needy, rows.final), scenarioTable(scenario('one', { expect: { sends: 1 } }))] },
      { suites: ['retry-cases', 'backoff-scenarios'], features: ['deadline'] },
    )
    expect(suites.map(({ result }) => result.skipped.byReason)).toEqual([
      { 'needs hints': 1 },
      { 'does not run call-scenarios': 1 },
    ])
    const able = await small({ tables: [retryTable(needy)] }, { features: ['hints'] })
    expect(able.suites[0]?.result).toMatchObject({ passed: 1, skipped: { total: 0 } })
  })

  it('must tell what is stated, unless it said that it never tells it', async () => {
    const row = scenario('bodies', { expect: { sends: 1, body_released: 0 } })
    const strict = await small({ tables: [scenarioTable(row)] })
    expect(strict.suites[0]?.result.results[0]?.mismatches).toEqual([
      { field: 'body_released', expected: 0, actual: undefined },
    ])
    const frank = await small({ tables: [scenarioTable(row)] }, { features: ['omits:body_released', 'omits:reason'] })
    expect(frank.suites[0]).toMatchObject({ result: { passed: 1 }, untold: { body_released: 3 } })
    // What it tells all the same is compared.
    const lying = scenario('reasons', { expect: { reason: 'deadline' } })
    const told = await small({ tables: [scenarioTable(lying)] }, { features: ['omits:reason'] })
    expect(told.suites[0]?.result.failed).toBe(1)
  })

  it('runs only what the filter lets through, and tells each case in the table’s order', async () => {
    const seen: string[] = []
    const onCase = ({ id }: CaseResult, suite: string): void => void seen.push(`${suite} ${id}`)
    const filter = (id: string): boolean => !id.endsWith('/three')
    const { suites } = await misbehaving('fine', { filter, onCase })
    expect(seen).toEqual(['one', 'two', 'four', 'five'].map((words) => `retry-cases retry-cases/${words}`))
    expect(suites[0]?.result).toMatchObject({ passed: 4, failed: 0, skipped: { total: 0 } })
  })

  it('may answer in any order', async () => {
    const seen: string[] = []
    const { suites } = await misbehaving('reversed', { onCase: ({ id }) => void seen.push(id) })
    expect(suites[0]?.result.passed).toBe(5)
    expect(seen).toEqual(five.cases.map(({ id }) => id))
  })
})

describe('an answer that fails a case and breaks nothing', () => {
  it.each([
    ['error', 'driver: expected an answer, got the error no such policy'],
    ['empty', 'retry: expected true, got nothing'],
  ])('%s', async (how, line) => {
    const { suites } = await misbehaving(how)
    const failed = suites[0]?.result.results.filter(({ verdict }) => verdict === 'failed') ?? []
    expect(failed.map(({ id }) => id)).toEqual(['retry-cases/three'])
    expect(failed.map(formatMismatch)[0]).toContain(line)
  })

  it('skipped is counted', async () => {
    const { suites } = await misbehaving('skips')
    expect(suites[0]?.result).toMatchObject({ passed: 4, skipped: { byReason: { 'driver: not today': 1 } } })
  })
})

describe('a driver that breaks the protocol', () => {
  const three = 'retry-cases/three: the driver'
  const noJson = 'stdout is for answers, one JSON object a line, and stderr for everything else'

  it.each([
    ['crash', `${three} exited with code 1`],
    ['killed', `${three} was ended by SIGKILL`],
    ['leaves', `${three} exited with code 0`],
    ['hang', `${three} gave no answer for 300 ms`],
    ['garbage', `${three} printed a line that is no JSON object: "thinking about 3"; ${noJson}`],
    ['number', `${three} printed a line that is no JSON object: "7"; ${noJson}`],
    ['nan', `${three} printed a line that is no JSON object: "{\\"seq\\":3,`],
    ['endless', `${three} printed a line of more than a million characters`],
    ['no-seq', `${three} printed a line without the seq that it answers: {"actual":{"retry":true,"wait_ms":0}}`],
    ['twice', `${three} answered seq 3 twice`],
    ['unknown', `${three} answered seq 1003, which it was not asked`],
    ['text', `${three} answered seq 3 wrongly: actual.wait_ms is "soon"; allowed: a number or null`],
    ['nothing', `${three} answered seq 3 wrongly: none given; allowed: one of actual, skipped, error`],
    ['both', `${three} answered seq 3 wrongly: actual and error given; allowed: one of actual, skipped, error`],
    ['stays', 'the driver did not exit within 300 ms after bye'],
    ['exit-3', 'the driver exited with code 3 after bye; it must exit with code 0'],
    ['late-twice', 'retry-cases/one: the driver answered seq 1 twice'],
    ['silent', 'the driver did not answer hello within 400 ms; does it flush stdout after every line?'],
    ['banner', `the driver printed a line that is no JSON object: "Welcome to the driver"; ${noJson}`],
    ['refuses', 'the driver refuses to start: no licence'],
    ['protocol-2', 'the driver speaks protocol 2, and this runner speaks 1'],
    [
      'nameless',
      'the driver introduces itself wrongly: name is ""; allowed: a string of a length ≥ 1; suites is "all"; allowed: a list',
    ],
    ['omits-sends', 'the driver announces the feature "omits:sends"; what may be omitted: failure, reason, '],
    ['dies-at-hello', 'the driver exited with code 9 before it answered hello'],
  ])('%s', async (how, message) => {
    // One at a time, so that it is the third case and no other.
    const short = (name: string, ms: number): number => (how === name ? ms : 10_000)
    const limits = { timeoutMs: short('hang', 300), graceMs: short('stays', 300), helloTimeoutMs: short('silent', 400) }
    const error = await errorOf(misbehaving(how, { window: 1, ...limits }))
    expect(error.message.startsWith(message) ? message : error.message).toBe(message)
  })

  it('is quoted: the end of what it wrote to stderr', async () => {
    const error = await errorOf(misbehaving('crash', { window: 1 }))
    expect(error).toMatchObject({ name: 'DriverError', caseId: 'retry-cases/three' })
    expect(error.message.split('\n')).toEqual([
      'retry-cases/three: the driver exited with code 1',
      'the end of its stderr:',
      '  Traceback (most recent call last):',
      '  ZeroDivisionError: division by zero',
    ])
  })

  it('says which cases it may have been, where several were asked', async () => {
    const { message } = await errorOf(misbehaving('leaves', { window: 16 }))
    expect(message).toBe('retry-cases/three: the driver exited with code 0 (or one of the 2 asked after it)')
  })

  it('cannot be started', async () => {
    const { message } = await errorOf(misbehaving('', { command: 'no-such-program-here' }))
    expect(message).toBe('the driver cannot be started: spawn no-such-program-here ENOENT; give a program that exists')
  })
})

describe('nothing is left behind', () => {
  /** A process that was killed is gone when the kernel has cleared it away, some milliseconds later. */
  const GONE = { timeout: 2_000, interval: 5 }

  /** Whether the process that told its pid on stderr still runs; one that has ended and was not reaped does not. */
  const alive = ({ stderr }: DriverError): boolean => {
    const pid = Number(/pid (\d+)/.exec(stderr)?.[1])
    expect(pid).toBeGreaterThan(0)
    try {
      process.kill(pid, 0)
      return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    } catch {
      return false
    }
  }

  it('a driver that ignores SIGTERM is killed', async () => {
    const error = await errorOf(misbehaving('stubborn', { window: 1, timeoutMs: 300 }))
    expect(error.caseId).toBe('retry-cases/three')
    await expect.poll(() => alive(error), GONE).toBe(false)
  })

  it('what a driver started ends with it', async () => {
    const error = await errorOf(misbehaving('orphan'))
    await expect.poll(() => alive(error), GONE).toBe(false)
  })

  it('an abort ends the run with its reason', async () => {
    const controller = new AbortController()
    const reason = new Error('interrupted')
    const running = misbehaving('hang', {
      signal: controller.signal,
      window: 1,
      onCase: () => controller.abort(reason),
    })
    await expect(running).rejects.toBe(reason)
    await expect(misbehaving('fine', { signal: controller.signal })).rejects.toBe(reason)
  })
})
