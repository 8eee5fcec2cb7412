import { mergedPolicy, type RetryCase, type TablePolicy } from './table.js'

/** Inputs that a call cannot be brought to by the runner's script, because they are the sum of a longer history. */
const HISTORY = [
  'waited_ms',
  'throttle_waited_ms',
  'elapsed_ms',
  'transient_failures',
  'retry_tokens',
  'failed_transiently',
] as const

/** Where a policy says nothing: the tables' default, and the one preset that makes a single attempt. */
const DEFAULT_MAX_ATTEMPTS = 4

/**
 * Why a row can be replayed by the pure decision alone (`scope: "decision"`), or null where a call can be made of it:
 * the script of a call is attempt − 1 times `429, Retry-After: 0`, then the row, then 200.
 */
export function decisionOnly(row: RetryCase, tablePolicy: TablePolicy): string | null {
  if (row.expect.policy_error !== undefined) return null // R17: nothing is sent
  const history = HISTORY.find((field) => row[field] !== undefined)
  if (history !== undefined) return `it has ${history}`
  const policy = mergedPolicy(tablePolicy, row.policy)
  if (typeof policy.throttle_budget_ms === 'number' || policy.preset === 'background') {
    return 'its policy has a throttle budget (R15)'
  }
  if (/^(trace|connect|track)$/i.test(row.method)) return `fetch forbids ${row.method}`
  if (/^status:1/.test(row.failure)) return `fetch answers with no ${row.failure}`
  if (row.attempt === 1) return null
  if (row.body === 'stream' && !/^(get|head)$/i.test(row.method))
    return 'a stream is sent once (R13) and attempt is above 1'
  return unreachable(row.attempt, policy)
}

/**
 * Checks a row's `scope` against what its input needs.
 *
 * @returns the problem in a sentence, or null.
 */
export function checkScope(row: RetryCase, tablePolicy: TablePolicy = {}): string | null {
  const why = decisionOnly(row, tablePolicy)
  return why === null || row.scope === 'decision' ? null : `scope is missing; allowed: "decision", since ${why}`
}

/** Why `429, Retry-After: 0` would not be retried at once under this policy, so that the row's attempt never comes. */
function unreachable(attempt: number, policy: Record<string, unknown>): string | null {
  const stated = policy.max_attempts
  const single = policy.preset === 'disabled' ? 1 : DEFAULT_MAX_ATTEMPTS
  const maxAttempts = typeof stated === 'number' ? stated : single
  if (attempt > maxAttempts) return `attempt ${attempt} is never made with max_attempts ${maxAttempts}`
  const { throttle_statuses: throttles, hints } = policy
  if (Array.isArray(throttles) && !throttles.includes(429)) return 'a 429 before it is no throttle under its policy'
  if (Array.isArray(hints) && !hints.includes('retry-after')) return 'its policy does not read Retry-After'
  return null
}
