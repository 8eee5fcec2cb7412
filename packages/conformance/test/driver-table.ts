import type { CallScenario, RetryCase, RetryExpectation, RetryTable, ScenarioTable } from '../src/index.js'

const POLICY = { max_attempts: 4, base_ms: 250, per_attempt_cap_ms: 10_000, total_cap_ms: 30_000 }
const HEAD = { rule: 'R1', level: 'must', needs: [] } as const

/** One row a name, of a throttle that asks for this; waits `expected` or gives up. */
function retryRow(words: string, row: Partial<RetryCase> & Pick<RetryCase, 'expect'>): RetryCase {
  const id = `retry-cases/${words.replaceAll(' ', '-')}`
  return { ...HEAD, id, name: words, failure: 'status:429', method: 'GET', retry_after: '0', attempt: 1, ...row }
}

export function retryTable(...cases: RetryCase[]): RetryTable {
  return { suite: 'retry-cases', file: 'retry-cases.json', version: '1.0.0', policy: POLICY, cases }
}

export function scenarioTable(...cases: CallScenario[]): ScenarioTable {
  return { suite: 'call-scenarios', file: 'call-scenarios.json', version: '1.0.0', policy: POLICY, cases }
}

const waits = (ms: number): RetryExpectation => ({ retry: true, wait_ms_min: ms, wait_ms_max: ms })

/** Rows of which the driver small.mjs knows the answers. */
export const rows: Record<'stated' | 'drawn' | 'half' | 'overCap' | 'final' | 'badPolicy', RetryCase> = {
  stated: retryRow('a stated second', { retry_after: '1', expect: waits(1000) }),
  drawn: retryRow('a drawn wait', { retry_after: null, expect: { retry: true, wait_ms_min: 0, wait_ms_max: 249 } }),
  half: retryRow('half a wait', { retry_after: null, random: 0.5, expect: waits(125) }),
  overCap: retryRow('over the cap', {
    retry_after: '11',
    expect: { retry: false, fail_fast: true, reason: 'wait_over_cap', retry_after_ms: 11_000 },
  }),
  final: retryRow('a final status', {
    failure: 'status:404',
    retry_after: null,
    expect: { retry: false, reason: 'not_retryable', retry_after_ms: null },
  }),
  badPolicy: retryRow('a bad policy', { policy: { max_attempts: 0 }, expect: { policy_error: 'max_attempts' } }),
}

/** Five rows that retry at once: what misbehaving.mjs answers, but for the third. */
export const five: RetryTable = retryTable(
  ...['one', 'two', 'three', 'four', 'five'].map((words) => retryRow(words, { random: 0, expect: waits(0) })),
)

export function scenario(words: string, row: Partial<CallScenario> & Pick<CallScenario, 'expect'>): CallScenario {
  return {
    ...HEAD,
    id: `call-scenarios/${words.replaceAll(' ', '-')}`,
    name: words,
    answers: [{ status: 200 }],
    ...row,
  }
}
