import { loadTable, specTable } from '@sluice/conformance'
import { describe, expect, test } from 'vitest'
import { run } from '../src/run.js'
import { memoryWorld } from './memory-world.js'

async function decide(args: readonly string[]) {
  const { world, stdout, stderr } = memoryWorld({ argv: ['decide', ...args] })
  return { code: await run(world), stdout: stdout(), stderr: stderr() }
}

const asJson = async (...args: string[]) => JSON.parse((await decide([...args, '--json'])).stdout)
const rulesOf = async (...args: string[]): Promise<string[]> =>
  (await asJson(...args)).rules.map(({ rule }: { rule: string }) => rule)

test('the answer fits a screen, with the rules that made it', async () => {
  const { code, stdout } = await decide(['429', '-H', 'Retry-After: 5', '--method', 'POST'])
  expect(code).toBe(0)
  expect(stdout).toBe(`HTTP 429 to POST, attempt 1: retry after 5s to 5.3s

  class        throttle
  stated wait  5s (5000 ms)
  wait         5000 to 5249 ms, by the draw

  R1   HTTP 429 is a throttle: the server refused before acting, so any method may be repeated.
  H1   Retry-After: "5" asks for 5s.
  R8   The wait is what the server stated, and up to 250ms of jitter.
`)
})

test('as JSON', async () => {
  expect(await asJson('429', '-H', 'Retry-After: 3600')).toMatchObject({
    ...{ retry: false, class: 'throttle', reason: 'wait_over_cap', failFast: true, waitMs: null },
    retryAfterMs: 3_600_000,
  })
  expect(await asJson('503', '--attempt', '2')).toMatchObject({
    retry: true,
    waitMs: { min: 0, max: 499 },
    reason: null,
  })
})

test('where a long draw runs into a bound, both ends are told', async () => {
  const { stdout } = await decide(['503', '--waited', '29.9s', '--attempt', '2'])
  expect(stdout).toMatch(/^HTTP 503 to GET, attempt 2: retry after 0s or more; a long draw gives up, total_over_cap\n/)
  expect(await asJson('503', '--waited', '29.9s', '--attempt', '2')).toMatchObject({
    ...{ retry: true, failFast: null, waitMs: { min: 0, max: null }, giveUpOnHighDraw: 'total_over_cap' },
  })
})

describe('R3: a status below 400 is a success', () => {
  test.each([
    ['100', 'HTTP 100 is a success, as every status below 400, even with a Retry-After.'],
    ['200', 'HTTP 200 is a success, as every status below 400, even with a Retry-After.'],
    ['304', 'HTTP 304 is a success, as every status below 400, even with a Retry-After.'],
    ['307', 'HTTP 307 is a redirect: the transport follows it, and one that is not followed is the answer, a success.'],
  ])('%s: nothing to retry, and no failure', async (status, why) => {
    // A preset that reads failures is not asked.
    const args = [status, '-H', 'Retry-After: 5', '-H', 'x-should-retry: true', '--preset', 'github']
    expect(await decide(args)).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: `HTTP ${status} to GET, attempt 1: a success, nothing to retry\n\n  R3   ${why}\n`,
    })
    expect(await asJson(...args)).toEqual({
      ...{ retry: false, class: null, reason: null, failFast: false, waitMs: null, giveUpOnHighDraw: null },
      ...{ retryAfterMs: null, rules: [{ rule: 'R3', text: why }] },
    })
  })

  test('400 is a failure', async () => {
    expect(await asJson('400')).toMatchObject({ retry: false, class: 'final', reason: 'not_retryable' })
  })
})

describe('the rules that are named', () => {
  test.each([
    ['a throttle without a wait', ['429'], ['R1', 'R7']],
    ['a malformed wait', ['429', '-H', 'Retry-After: soon'], ['R1', 'H1', 'R7']],
    ['an unsafe method', ['503', '--method', 'POST'], ['R2']],
    ['a key makes it safe', ['503', '--method', 'POST', '--idempotency-key'], ['R2', 'R7']],
    ['a connection', ['network:ECONNRESET'], ['R3', 'R2', 'R7']],
    ['a refused stream', ['network:REFUSED_STREAM', '--method', 'POST'], ['R3', 'R2', 'R7']],
    ['a final failure', ['network:ENOTFOUND'], ['R3']],
    ['a final status that states a wait', ['404', '-H', 'Retry-After: 5'], ['R3', 'H1', 'H5']],
    ['the server says no', ['429', '-H', 'x-should-retry: false'], ['R4']],
    ['the server says yes', ['500', '-H', 'x-should-retry: true'], ['R4', 'R2', 'R7']],
    ['a challenge', ['429', '-H', 'cf-mitigated: challenge'], ['R4']],
    [
      'a preset that reads the body',
      ['429', '--preset', 'openai', '--body', '{"error":{"code":"insufficient_quota"}}'],
      ['R4'],
    ],
    ['a preset with a wait of its own', ['429', '--preset', 'shopify'], ['R1', 'R4', 'R8']],
    [
      'a date against the wall clock',
      ['429', '-H', 'Retry-After: Thu, 01 Jan 2026 00:00:05 GMT', '--now', '2026-01-01T00:00:00Z'],
      ['R1', 'H1', 'H3', 'R8'],
    ],
    [
      'a date against the response',
      ['429', '-H', 'Retry-After: Thu, 01 Jan 2026 00:00:05 GMT', '-H', 'Date: Thu, 01 Jan 2026 00:00:00 GMT'],
      ['R1', 'H1', 'H3', 'R8'],
    ],
    ['a reset', ['429', '-H', 'x-ratelimit-reset: 5', '-H', 'x-ratelimit-remaining: 0'], ['R1', 'H4', 'R8']],
    [
      'a reset on a transient failure',
      ['503', '-H', 'x-ratelimit-reset: 5', '-H', 'x-ratelimit-remaining: 0'],
      ['R2', 'H4', 'R7'],
    ],
    ['a hint that is not read', ['429', '-H', 'Retry-After: 5', '--policy', '{"hints":[]}'], ['R1', 'H4', 'R7']],
    ['too long a wait', ['429', '-H', 'Retry-After: 11'], ['R1', 'H1', 'R6', 'R6', 'H5']],
    ['an endless wait', ['429', '-H', 'Retry-After: 99999999999999999999'], ['R1', 'H1', 'H2', 'R6', 'R6', 'H5']],
    [
      'too many waits',
      ['429', '-H', 'Retry-After: 9', '--waited', '22s', '--attempt', '2'],
      ['R1', 'H1', 'R9', 'R6', 'H5'],
    ],
    ['too many attempts', ['429', '--attempt', '4'], ['R1', 'R5']],
    ['a stream', ['429', '--stream', '--method', 'POST'], ['R1', 'R13']],
    [
      'a deadline',
      ['429', '-H', 'Retry-After: 5', '--policy', '{"deadline_ms":4000}'],
      ['R1', 'H1', 'R10', 'R6', 'H5'],
    ],
    ['a throttle budget', ['429', '--preset', 'background'], ['R1', 'R15']],
    [
      'a throttle budget used up',
      ['429', '-H', 'Retry-After: 31', '--preset', 'background'],
      ['R1', 'H1', 'R15', 'R6', 'H5'],
    ],
    ['a retry budget used up', ['503', '--retry-tokens', '0.9'], ['R2', 'R16']],
  ])('%s: %j', async (_, args, rules) => {
    expect(await rulesOf(...args)).toEqual(rules)
  })

  // Policies that are refused have no decision, and R18 is about clocks.
  const rows = loadTable(specTable('retry-cases')).cases.filter(({ rule }) => rule !== 'R17' && rule !== 'R18')
  test(`hold for all ${rows.length} rows of the table: none is without a reason`, async () => {
    for (const row of rows) {
      if (!('failure' in row) || row.expect.policy_error !== undefined) continue
      const rules = await rulesOf(
        ...[row.failure.replace('status:', ''), '--method', row.method, '--attempt', String(row.attempt)],
        ...(row.retry_after === null ? [] : ['-H', `Retry-After: ${row.retry_after}`]),
        ...Object.entries(row.headers ?? {}).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      )
      expect([row.id, rules.filter((rule) => /^R[1-4]$/.test(rule)).length]).not.toEqual([row.id, 0])
    }
  })
})

describe('wrong usage', () => {
  test.each([
    [
      ['42'],
      '"42" is no failure: give a status from 100 to 599, connect, timeout, or network:CODE such as network:ECONNRESET',
    ],
    [
      ['network:'],
      '"network:" is no failure: give a status from 100 to 599, connect, timeout, or network:CODE such as network:ECONNRESET',
    ],
    [['429', '--now', 'soon'], '--now: "soon" is no date; write 2026-01-01T00:00:00Z, or epoch milliseconds'],
    [
      ['429', '--draw', '1'],
      "option '--draw <n>' argument '1' is invalid. It must be a number of at least 0 and below 1.",
    ],
    [
      ['429', '--attempt', '0'],
      "option '--attempt <n>' argument '0' is invalid. It must be a whole number of at least 1.",
    ],
  ])('%j', async (args, message) => {
    expect(await decide(args)).toEqual({ code: 2, stdout: '', stderr: `Error: ${message}\n` })
  })
})
