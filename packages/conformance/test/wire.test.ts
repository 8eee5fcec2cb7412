import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { DriverError, type DriverRun, driverOf } from '../src/driver.js'
import { type CallScenario, type CaseResult, formatMismatch } from '../src/index.js'
import { runWire, unsupportedReason, type WireOptions, waitsOf, wireInProcess, wireProcess } from '../src/wire.js'
import { scenario, scenarioTable } from './driver-table.js'
import { realClock } from './real-clock.js'
import { sendsAfter } from './small-subject.js'

const throttled = (retryAfter: string) => ({ status: 429, headers: { 'retry-after': retryAfter } })
const wireRow = (words: string, row: Partial<CallScenario> & Pick<CallScenario, 'expect'>): CallScenario =>
  scenario(words, { real_time: true, ...row })

const stated = wireRow('stated', {
  answers: [throttled('0.4'), { status: 200 }],
  expect: { sends: 2, waits_ms: [400], outcome: 'ok', status: 200, retry_after_ms: null },
})
const keyed = wireRow('keyed', {
  request: { method: 'POST', headers: { 'Idempotency-Key': 'k-1' } },
  answers: [throttled('0'), { status: 201 }],
  expect: { sends: 2, waits_ms: [[0, 0]], outcome: 'ok', status: 201 },
})
const overCap = wireRow('over-cap', {
  answers: [throttled('11'), { status: 200 }],
  expect: { sends: 1, waits_ms: [], outcome: 'gave_up', status: 429 },
})
const reset = wireRow('reset', {
  answers: [{ failure: 'network:ECONNRESET' }, { status: 200, after_ms: 50 }],
  expect: { sends: 2, waits_ms: [0], outcome: 'ok', status: 200 },
})
const rows = [stated, keyed, overCap, reset]

/** What came of each row: `passed`, or its mismatches. */
async function play(how: string, options: Partial<WireOptions> = {}): Promise<Record<string, string>> {
  const args = [fileURLToPath(new URL('./fixtures/drivers/wire-client.mjs', import.meta.url)), how]
  const { suites } = await runWire({
    start: wireProcess({ command: process.execPath, args, clock: realClock }),
    tables: [scenarioTable(...rows)],
    clock: realClock,
    // These are about what is seen, and the machine may be busy.
    toleranceMs: 1_000,
    ...options,
  })
  const results = suites.flatMap(({ result }) => result.results)
  return Object.fromEntries(results.map((one) => [one.id.replace('wire/', ''), wordsOf(one)]))
}

function wordsOf(result: CaseResult): string {
  if (result.verdict === 'skipped') return `skipped: ${result.skipReason}`
  return result.verdict === 'passed' ? 'passed' : formatMismatch(result).split('\n  ').slice(1).join('; ')
}

const justKeyed = { filter: (id: string): boolean => id === 'wire/keyed' }
const good = { stated: 'passed', keyed: 'passed', 'over-cap': 'passed', reset: 'passed' }

describe('wire mode', { timeout: 30_000 }, () => {
  it('passes a client that does right, one call at a time as well', async () => {
    expect(await play('right')).toEqual(good)
    expect(await play('serial')).toEqual(good)
  })

  it('hands on what arrived, and when', async () => {
    const seen = new Map<string, readonly number[]>()
    const paths: string[] = []
    await play('right', {
      onArrivals: (id, arrivals) => {
        seen.set(id, waitsOf(arrivals))
        paths.push(...arrivals.map(({ path }) => path))
      },
    })
    expect([...seen.keys()].sort()).toEqual(['wire/keyed', 'wire/over-cap', 'wire/reset', 'wire/stated'])
    expect(seen.get('wire/stated')?.[0]).toBeGreaterThanOrEqual(399)
    expect(new Set(paths)).toContain('/case/stated/v1/items')
  })

  it('catches a knock that is too early, and one that is too late', async () => {
    const early = await play('early')
    expect(early).toMatchObject({
      ...good,
      stated: expect.stringMatching(/^wait 1: expected 400 to 1400, got [23]\d\d/),
    })
    const late = await play('late', { toleranceMs: 300 })
    expect(late.stated).toMatch(/^wait 1: expected 400 to 700, got ([89]\d\d|\d{4})/)
    expect(late.keyed).toMatch(/^wait 1: expected 0 to 300, got ([4-9]\d\d|\d{4})/)
  })

  it('catches a send too few, one too many, and one that comes after the end', async () => {
    expect(await play('single')).toMatchObject({
      stated: 'sends: expected 2, got 1; outcome: expected "ok", got "gave_up"; status: expected 200, got 429',
    })
    expect(await play('once-more', justKeyed)).toEqual({
      keyed: 'sends: expected 2, got 3',
    })
  })

  it('catches a lost header, another body, and wrong words about the end', async () => {
    expect(await play('loses-header', justKeyed)).toMatchObject({
      keyed: 'send 2 header Idempotency-Key: expected "k-1", got nothing',
    })
    expect(await play('other-body', justKeyed)).toMatchObject({ keyed: 'send 2 body: expected "first", got "second"' })
    expect(await play('wrong-words')).toMatchObject({
      stated: 'retry_after_ms: expected null, got 17',
      keyed: 'passed',
    })
  })

  it('gives up a call that does not end, and plays the others with a new process', async () => {
    const table = scenarioTable(overCap, stated, { ...keyed, id: 'call-scenarios/later' }, reset)
    expect(await play('hangs', { tables: [table], graceMs: 500 })).toEqual({
      'over-cap': 'call: expected an end, got still running after 500 ms',
      stated: 'passed',
      later: 'passed',
      reset: 'passed',
    })
    const endless = await play('never-stops', { tables: [scenarioTable({ ...overCap, answers: [throttled('0')] })] })
    expect(endless['over-cap']).toMatch(/^sends: expected 1, got \d\d; call: expected an end, got sending without end$/)
  })

  it('skips what a driver does not do, what it says it skips, and what no server can cause', async () => {
    expect(await play('no-wire', justKeyed)).toEqual({
      keyed: 'skipped: does not run wire',
    })
    expect(await play('skips', justKeyed)).toEqual({
      keyed: 'skipped: driver: no such method',
    })
    expect(await play('errs', justKeyed)).toEqual({
      keyed: expect.stringContaining('driver: expected an answer, got the error no such option'),
    })
    const refused = { ...reset, answers: [{ failure: 'connect' }] }
    expect(await play('right', { tables: [scenarioTable(refused, { ...stated, needs: ['hints'] })] })).toEqual({
      reset: 'skipped: not on a wire: a server that listens refuses no connection',
      stated: 'skipped: needs hints',
    })
    expect(unsupportedReason(stated)).toBeNull()
    expect(unsupportedReason({ ...stated, answers: [{ failure: 'timeout' }] })).toBeNull()
    const never: Partial<CallScenario>[] = [
      { random: 0.5 },
      { now: 0 },
      { abort_at_ms: 1 },
      { answers: [{ failure: 'network:ENOTFOUND' }] },
      { answers: [{ failure: 'timeout', after_ms: 5 }] },
      { answers: [{ status: 103 }] },
      { expect: { policy_error: 'base_ms' } },
    ]
    for (const row of never) expect(unsupportedReason({ ...stated, ...row })).toEqual(expect.any(String))
  })

  it('plays only rows that are real_time', async () => {
    const { real_time, ...virtual } = stated
    expect(await play('right', { tables: [scenarioTable(virtual)] })).toEqual({})
  })

  it('ends with a DriverError where the driver dies, naming the case', async () => {
    const error = await play('dies').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(DriverError)
    expect(String(error)).toContain('wire/')
    expect(String(error)).toContain('the driver exited with code 1')
  })
})

describe('a subject of this process', () => {
  const wire = { fetch, clock: realClock, random: () => 0.5 }

  it('calls for real, with the request and the policy of the row', async () => {
    const driver = driverOf(sendsAfter([401]), { name: 'here', version: '0', wire })
    const { driver: hello, suites } = await runWire({
      start: wireInProcess(driver),
      tables: [scenarioTable(stated)],
      clock: realClock,
      toleranceMs: 1_000,
    })
    expect(hello).toMatchObject({ name: 'here', language: 'TypeScript', suites: ['wire'] })
    expect(suites[0]?.result.results.map(wordsOf)).toEqual(['passed'])
  })

  it('is aborted where its call does not end', async () => {
    let reason: unknown
    const driver = driverOf(
      {
        call: ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              reason = signal.reason
              reject(signal.reason)
            })
          }),
      },
      { name: 'here', version: '0', wire },
    )
    const { suites } = await runWire({
      start: wireInProcess(driver),
      tables: [scenarioTable(overCap)],
      clock: realClock,
      graceMs: 100,
    })
    expect(suites[0]?.result.results.map(wordsOf)).toEqual([
      'sends: expected 1, got 0; call: expected an end, got still running after 100 ms',
    ])
    expect(reason).toBeInstanceOf(Error)
  })

  it('is asked with every default filled in', async () => {
    const runs: DriverRun[] = []
    const hello = { name: 'spy', language: 'TypeScript', version: '0', suites: ['wire'], features: [] }
    await runWire({
      start: wireInProcess({
        hello,
        async run(run) {
          runs.push(run)
          return { skipped: 'seen' }
        },
      }),
      tables: [scenarioTable(stated)],
      clock: realClock,
    })
    expect(runs).toEqual([
      {
        suite: 'wire',
        base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/case\/stated$/),
        policy: { max_attempts: 4, base_ms: 250, per_attempt_cap_ms: 10_000, total_cap_ms: 30_000 },
        case: {
          id: 'wire/stated',
          rule: 'R1',
          name: 'stated',
          request: { method: 'GET', headers: {}, body: 'none', idempotent: false },
        },
      },
    ])
  })
})
