import { describe, expect, it } from 'vitest'
import { checkScope, type RetryCase, type TablePolicy } from '../src/index.js'

const ROW: RetryCase = {
  id: 'retry-cases/one',
  rule: 'R1',
  level: 'must',
  needs: [],
  name: 'a sentence',
  failure: 'status:429',
  method: 'GET',
  retry_after: '2',
  attempt: 1,
  expect: { retry: true },
}
const check = (row: Partial<RetryCase>, policy: TablePolicy = {}): string | null =>
  checkScope({ ...ROW, ...row }, policy)
const missing = (why: string): string => `scope is missing; allowed: "decision", since ${why}`

describe('a retry case must say scope: decision where no call can be brought to it', () => {
  it.each([
    ['waited_ms', { waited_ms: 0 }],
    ['throttle_waited_ms', { throttle_waited_ms: 1 }],
    ['elapsed_ms', { elapsed_ms: 1 }],
    ['transient_failures', { transient_failures: 1 }],
    ['retry_tokens', { retry_tokens: 0 }],
    ['failed_transiently', { failed_transiently: true }],
  ] as const)('%s', (field, row) => {
    expect(check(row)).toBe(missing(`it has ${field}`))
    expect(check({ ...row, scope: 'decision' })).toBeNull()
  })

  it('a throttle budget, its own, its table’s or by the background preset', () => {
    const why = missing('its policy has a throttle budget (R15)')
    expect(check({ policy: { throttle_budget_ms: 30_000 } })).toBe(why)
    expect(check({}, { throttle_budget_ms: 30_000 })).toBe(why)
    expect(check({ policy: { preset: 'background' } })).toBe(why)
  })

  it.each(['TRACE', 'connect', 'Track'])('the method %s, which fetch forbids', (method) => {
    expect(check({ method })).toBe(missing(`fetch forbids ${method}`))
  })

  it('a stream that was sent before; GET and HEAD have none', () => {
    expect(check({ method: 'POST', body: 'stream' })).toBeNull()
    expect(check({ method: 'POST', body: 'stream', attempt: 2 })).toBe(
      missing('a stream is sent once (R13) and attempt is above 1'),
    )
    expect(check({ body: 'stream', attempt: 2 })).toBeNull()
  })

  it('a status that is no answer', () => {
    expect(check({ failure: 'status:102' })).toBe(missing('fetch answers with no status:102'))
  })

  it('an attempt that the policy never makes', () => {
    expect(check({ attempt: 4 })).toBeNull()
    expect(check({ attempt: 5 })).toBe(missing('attempt 5 is never made with max_attempts 4'))
    expect(check({ attempt: 5 }, { max_attempts: 5 })).toBeNull()
    expect(check({ attempt: 2, policy: { preset: 'disabled' } })).toBe(
      missing('attempt 2 is never made with max_attempts 1'),
    )
    expect(check({ attempt: 2, policy: { throttle_statuses: [503] } })).toBe(
      missing('a 429 before it is no throttle under its policy'),
    )
    expect(check({ attempt: 2, policy: { hints: ['ratelimit'] } })).toBe(
      missing('its policy does not read Retry-After'),
    )
  })

  it('but not where the policy is refused: nothing is sent then', () => {
    expect(check({ policy: { throttle_budget_ms: -1 }, expect: { policy_error: 'throttle_budget_ms' } })).toBeNull()
  })
})
