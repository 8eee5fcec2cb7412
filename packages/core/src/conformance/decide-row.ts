import type { decide, isSafeToRepeat } from '../retry/decide.js'
import type { Classification, Failure } from '../retry/failure.js'
import type { failureOf } from '../retry/failure-of.js'
import type { isFailFast } from '../retry/reason.js'
import type { SubjectDecision, SubjectDecisionEnd } from './cases.js'
import { type PolicyFace, policyFromTable } from './policy-from-table.js'

/** The part of the public face that decides. */
export interface DecideFace extends PolicyFace {
  decide: typeof decide
  failureOf: typeof failureOf
  isFailFast: typeof isFailFast
  isSafeToRepeat: typeof isSafeToRepeat
}

/** Puts one row of a table to `decide()`. */
export async function decideRow(row: SubjectDecision, face: DecideFace): Promise<SubjectDecisionEnd> {
  const policy = policyFromTable(row.policy, face)
  if ('policy_error' in policy) return policy
  const failure = failureFromTable(row, face)
  let classification: Classification | undefined
  if (failure.kind === 'status') classification = await policy.classify?.(failure, async () => row.response_body ?? '')
  const keyed = new Headers(row.request_headers).has('idempotency-key')
  const decision = face.decide({
    policy,
    failure,
    classification,
    keyed,
    safe: face.isSafeToRepeat(row.method, keyed, row.idempotent),
    replayable: row.body !== 'stream',
    attempt: row.attempt,
    waitedMs: row.waited_ms,
    throttleWaitedMs: row.throttle_waited_ms,
    elapsedMs: row.elapsed_ms,
    transientFailures: row.transient_failures,
    failedTransiently: row.failed_transiently,
    retryTokens: row.retry_tokens ?? Number.POSITIVE_INFINITY,
    wallNow: row.now,
    random: () => row.random,
  })
  const { retry, retryAfterMs: retry_after_ms } = decision
  if (decision.retry) return { retry, wait_ms: decision.waitMs, fail_fast: false, reason: null, retry_after_ms }
  return { retry, reason: decision.reason, fail_fast: face.isFailFast(decision.reason), retry_after_ms }
}

const failureFromTable = (row: SubjectDecision, { failureOf }: DecideFace): Failure => {
  const [, kind, detail = ''] = /^(status|connect|timeout|network):?(.*)$/.exec(row.failure) ?? []
  if (kind === 'status') return { kind, status: Number(detail), headers: new Headers(row.headers) }
  if (kind === 'connect' || kind === 'timeout') return { kind }
  return failureOf(Object.assign(new Error(row.failure), { code: detail }))
}
