import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { schemas } from '@sluice/spec'
import { describe, expect, it } from 'vitest'
import { loadTable, parseTable, type RetryTable, runTable, specTable, TableError } from '../src/index.js'
import { sendsAfter } from './small-subject.js'
import { testClock } from './test-clock.js'

type Fields = Record<string, unknown>

const RETRY_CASE = {
  id: 'retry-cases/one',
  rule: 'R1',
  level: 'must',
  name: 'a sentence',
  failure: 'status:429',
  method: 'GET',
  retry_after: '2',
  attempt: 1,
  expect: { retry: true, wait_ms_min: 2000, wait_ms_max: 2000 },
}
const SCENARIO = {
  id: 'call-scenarios/one',
  rule: 'R1',
  level: 'must',
  name: 'a sentence',
  answers: [{ status: 200 }],
  expect: { sends: 1, outcome: 'ok' },
}
const SHARED_CALL = { answers: [{ status: 200 }], expect: { sends: 1, outcome: 'ok' } }
const SHARED = {
  ...{ id: 'call-scenarios/one', rule: 'L12', level: 'must', needs: ['limiter'], name: 'a sentence' },
  ...{ catches: 'a fault', limiter: { max_concurrent: 1 }, calls: [SHARED_CALL] },
}
const retryTable = (row: Fields = {}, head: Fields = {}): Fields => {
  return { suite: 'retry-cases', version: '1.0.0', policy: {}, ...head, cases: [{ ...RETRY_CASE, ...row }] }
}
const scenarioTable = (row: Fields): Fields => {
  return { suite: 'call-scenarios', version: '1.0.0', policy: {}, cases: [{ ...SCENARIO, ...row }] }
}

function problemsOf(table: unknown): readonly string[] {
  try {
    parseTable(JSON.stringify(table), 'bad.json')
  } catch (error) {
    if (error instanceof TableError) return error.problems
    throw error
  }
  return []
}

describe('a good table', () => {
  it('loads, with what it leaves out filled in', () => {
    const table = parseTable(JSON.stringify(retryTable()), 'good.json')
    expect(table).toMatchObject({ suite: 'retry-cases', version: '1.0.0', file: 'good.json' })
    expect(table.cases).toEqual([{ ...RETRY_CASE, needs: [] }])
    expect(problemsOf(scenarioTable({}))).toEqual([])
  })

  it('may name fields of its own policy that are refused, where that is what it expects', () => {
    const refused = { policy: { max_attempts: 0 }, expect: { policy_error: 'max_attempts' } }
    expect(problemsOf(retryTable(refused))).toEqual([])
  })
})

describe('a bad table gets one clear line a problem', () => {
  // The policy's fields grow with the rules; the message lists what the schema has.
  const policySchema: { properties: Fields } = JSON.parse(
    readFileSync(new URL('policy.schema.json', schemas['retry-cases']), 'utf8'),
  )
  const ALLOWED_POLICY = Object.keys(policySchema.properties).join(', ')

  it.each<[string, Fields, string]>([
    [
      'an unknown suite',
      { suite: 'retries' },
      'suite is "retries"; did you mean retry-cases? allowed: retry-cases, call-scenarios, backoff-scenarios, surface-cases, ingest-scenarios',
    ],
    ['no cases', { ...retryTable(), cases: [] }, 'cases is []; allowed: a list of at least 1'],
    [
      'an unknown head field',
      retryTable({}, { polcy: 1 }),
      'polcy is unknown; allowed: $schema, suite, version, notes, policy, cases',
    ],
    ['a bad version', retryTable({}, { version: '1' }), 'version is "1"; allowed: The tables\' version, as in semver'],
    [
      'an unknown policy field',
      retryTable({}, { policy: { max_atempts: 4 } }),
      `policy.max_atempts is unknown; allowed: ${ALLOWED_POLICY}`,
    ],
    [
      'a bad policy value',
      retryTable({}, { policy: { base_ms: '250' } }),
      'policy.base_ms is "250"; allowed: an integer ≥ 0',
    ],
    [
      'hints twice',
      retryTable({}, { policy: { hints: ['retry-after', 'retry-after'] } }),
      'policy.hints is ["retry-after","retry-after"]; it must NOT have duplicate items (items ## 1 and 0 are identical)',
    ],
  ])('%s', (_, table, problem) => {
    expect(problemsOf(table)).toEqual([`bad.json: ${problem}`])
  })

  it.each<[string, Fields, string]>([
    ['an unknown rule', { rule: 'R99' }, 'rule is "R99"; allowed: R1–R18, H1–H5'],
    ['a bad id', { id: 'retry-cases/Not Kebab' }, 'id is "retry-cases/Not Kebab"; allowed: retry-cases/kebab-words'],
    [
      'an id of another suite',
      { id: 'call-scenarios/x' },
      'id is "call-scenarios/x"; allowed: retry-cases/kebab-words',
    ],
    ['an unknown level', { level: 'should' }, 'level is "should"; allowed: "must", "may"'],
    ['a field that is missing', { retry_after: undefined }, 'retry_after is missing; allowed: a string or null'],
    ['an unknown field', { atempt: 2 }, 'atempt is unknown; allowed: id, rule, '],
    [
      'a bad failure',
      { failure: 'status:42' },
      'failure is "status:42"; allowed: status:<code>, connect, timeout, or network:<CODE>',
    ],
    ['a bad attempt', { attempt: 0 }, 'attempt is 0; allowed: an integer ≥ 1'],
    ['a draw of 1', { random: 1 }, 'random is 1; allowed: a number ≥ 0 < 1'],
    [
      'a header in capitals',
      { headers: { Date: 'x' } },
      'headers has the name "Date"; allowed: a string that matches ',
    ],
    ['a bad expectation', { expect: { retry: 'yes' } }, 'expect.retry is "yes"; allowed: true or false'],
    ['an unknown field of the row’s policy', { policy: { tries: 3 } }, 'policy.tries is unknown; allowed: preset, '],
    [
      'bounds that hold nothing',
      { expect: { retry: true, wait_ms_min: 2, wait_ms_max: 1 } },
      'expect.wait_ms_max is 1; allowed: at least wait_ms_min, 2',
    ],
    ['a scope that is missing', { waited_ms: 1 }, 'scope is missing; allowed: "decision", since it has waited_ms'],
    ['another scope', { scope: 'call' }, 'scope is "call"; allowed: "decision"'],
  ])('%s in a retry case', (_, row, problem) => {
    const [line, ...more] = problemsOf(retryTable(row))
    expect(line?.startsWith(`bad.json: ${row.id ?? 'retry-cases/one'}: ${problem}`), line).toBe(true)
    expect(more).toEqual([])
  })

  it.each<[string, Fields, string]>([
    [
      'a restart that is no need',
      { needs: ['prior'], steps: [{ restart: { after_ms: 0 } }] },
      'needs is ["prior"]; allowed: a list with "restart", since it uses that',
    ],
    [
      'a prior that is no need',
      { config: { expected_p90_ms: 5 } },
      'needs is nothing; allowed: a list with "prior", since it uses that',
    ],
    [
      'a refusal of what is not given',
      { config: { floor: 0 }, config_error: 'max_queue', steps: [] },
      'config_error is "max_queue"; allowed: a field of the row\'s config; there are floor',
    ],
    ['a config that would be refused', { config: { floor: 0 } }, 'config.floor is 0; allowed: an integer ≥ 1 or null'],
    [
      'a refusal with steps',
      { config: { floor: 0 }, config_error: 'floor', steps: [{ advance_ms: 1 }] },
      'steps is [{"advance_ms":1}]; allowed: a list and at most 0',
    ],
  ])('%s in a scenario of a limiter', (_, row, problem) => {
    const head = { id: 'backoff-scenarios/one', rule: 'L17', level: 'must', name: 'One.', steps: [{ advance_ms: 0 }] }
    const { config } = loadTable(specTable('backoff-scenarios')) as unknown as { config: unknown }
    const table = { suite: 'backoff-scenarios', version: '1.0.0', config, cases: [{ ...head, ...row }] }
    expect(problemsOf(table)).toEqual([`bad.json: backoff-scenarios/one: ${problem}`])
  })

  it.each<[string, Fields, string]>([
    ['an answer that is neither', { answers: [{}] }, 'answers[0].status is missing; allowed: an integer ≥ 200 ≤ 599'],
    [
      'an unknown field of an answer',
      { answers: [{ status: 200, after: 1 }] },
      'answers[0].after is unknown; allowed: status, headers, body, after_ms, body_ms',
    ],
    [
      'a bad wait',
      { expect: { sends: 1, outcome: 'ok', waits_ms: ['1s'] } },
      'expect.waits_ms[0] is "1s"; allowed: a number ≥ 0 or a list of at least 2 and at most 2',
    ],
    [
      'a bad outcome',
      { expect: { sends: 1, outcome: 'failed' } },
      'expect.outcome is "failed"; allowed: "ok", "gave_up", "aborted"',
    ],
    ['no expectation', { expect: undefined }, 'expect is missing; it must be given'],
    [
      'a body that nobody reads',
      { answers: [{ status: 200, body_ms: 5 }] },
      'answers has body_ms; allowed: in calls, where the caller reads the body',
    ],
  ])('%s in a call scenario', (_, row, problem) => {
    expect(problemsOf(scenarioTable(row))).toEqual([`bad.json: call-scenarios/one: ${problem}`])
  })

  it.each<[string, Fields, string]>([
    ['no need of a limiter', { needs: [] }, 'needs is []; allowed: a list with "limiter", since it has calls'],
    ['no limiter', { limiter: undefined }, 'limiter is missing; it must be given'],
    ['a bad config', { limiter: { max_queue: -1 } }, 'limiter.max_queue is -1; allowed: an integer ≥ 0'],
    ['nothing that it catches', { catches: undefined }, 'catches is missing; allowed: a string of a length ≥ 1'],
    [
      'an expectation beside those of its calls',
      { expect: { sends: 1 } },
      'expect is unknown; allowed: id, rule, level, needs, name, catches, source, policy, limiter, retry_budget, random, now, calls, looks',
    ],
    [
      'an abort before the call',
      { calls: [{ ...SHARED_CALL, at_ms: 5, abort_at_ms: 5 }] },
      'calls[0].abort_at_ms is 5; allowed: after at_ms, 5: times are of one clock',
    ],
    [
      'a bad expectation of a call',
      { calls: [{ ...SHARED_CALL, expect: { sends: 1, outcome: 'ok', sent_at: [1] } }] },
      'calls[0].expect.sent_at is unknown; allowed: sends, sent_at_ms, waits_ms, outcome, status, failure, reason, retry_after_ms, attempts, waited_ms, ended_at_ms, body_released',
    ],
    [
      'a look before the one before it',
      { looks: [9, 9].map((at_ms) => ({ at_ms, expect: { limit: 1 } })) },
      'looks[1].at_ms is 9; allowed: after the look before it, at 9',
    ],
    [
      'a look at what a step did',
      { looks: [{ at_ms: 9, expect: { started: 1 } }] },
      'looks[0].expect.started is unknown; allowed: limit, throttle_ceiling, latency_ceiling, in_flight, queued, held, hold_until_ms, trust, p90_ms, smoothed_ms, baseline_ms, ratio',
    ],
  ])('%s in calls that share a limiter', (_, row, problem) => {
    const table = { suite: 'call-scenarios', version: '1.0.0', policy: {}, cases: [{ ...SHARED, ...row }] }
    expect(problemsOf(table)).toEqual([`bad.json: call-scenarios/one: ${problem}`])
  })

  it('duplicate ids, and every problem at once', () => {
    const { id: _, ...nameless } = RETRY_CASE
    const cases = [RETRY_CASE, { ...RETRY_CASE, rule: 'Z1' }, { ...nameless, attempt: 1.5 }]
    expect(problemsOf({ ...retryTable(), policy: { base_ms: -1 }, cases })).toEqual([
      'bad.json: retry-cases/one: id of cases[1] is taken by cases[0]; allowed: an id no other case has',
      'bad.json: retry-cases/one: rule is "Z1"; allowed: R1–R18, H1–H5',
      'bad.json: policy.base_ms is -1; allowed: an integer ≥ 0',
      expect.stringMatching(/^bad\.json: cases\[2\]: id is missing; allowed: /),
      'bad.json: cases[2]: attempt is 1.5; allowed: an integer ≥ 1',
    ])
  })

  it('a file that is not there', () => {
    expect(() => loadTable('nowhere/table.json')).toThrow(/^nowhere\/table\.json: cannot be read: ENOENT/)
  })
})

describe('the plain public format', () => {
  const source = new URL('./fixtures/plain.json', import.meta.url)
  // A file without a suite is of this one.
  const table = loadTable(source) as RetryTable

  it('loads unchanged: unknown keys are ignored, ids are made from position and name', () => {
    expect(table.policy).toEqual({ max_attempts: 4, base_ms: 250, per_attempt_cap_ms: 10_000, total_cap_ms: 30_000 })
    expect(table.cases.map(({ id }) => id)).toEqual([
      'retry-cases/1-429-with-retry-after-2-on-a-post-waits-two-seconds',
      'retry-cases/2-get-after-status-429-attempt-1',
      'retry-cases/3-attempts-are-used-up',
      'retry-cases/4-trace-is-idempotent',
    ])
    expect(table.cases[0]).toEqual({
      id: 'retry-cases/1-429-with-retry-after-2-on-a-post-waits-two-seconds',
      rule: null,
      level: 'must',
      needs: [],
      name: '429 with Retry-After: 2 on a POST waits two seconds',
      failure: 'status:429',
      method: 'POST',
      retry_after: '2',
      attempt: 1,
      expect: { retry: true, wait_ms_min: 2000, wait_ms_max: 2000 },
    })
    expect(loadTable(fileURLToPath(source))).toEqual(table)
  })

  it('gives a row its scope where no call can be brought to it', () => {
    expect(table.cases.map(({ scope }) => scope)).toEqual([undefined, undefined, undefined, 'decision'])
  })

  it('is replayed like any other table', async () => {
    const { passed, failed, skipped } = await runTable(table, sendsAfter([2000]), testClock)
    expect({ passed, failed, skipped }).toEqual({
      passed: 1,
      failed: 2,
      skipped: { total: 1, byReason: { decision: 1 } },
    })
  })

  it('is told what is wrong with the keys it knows', () => {
    const cases = [{ failure: 'status:429', method: 'GET', attempt: 0, expect: { retry: false } }]
    expect(problemsOf({ policy: { base_ms: '1' }, cases })).toEqual([
      'bad.json: policy.base_ms is "1"; allowed: an integer ≥ 0',
      'bad.json: retry-cases/1-get-after-status-429-attempt-0: attempt is 0; allowed: an integer ≥ 1',
    ])
  })
})
