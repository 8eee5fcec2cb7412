import type { MakeClock } from '../clock.js'
import type { Answer } from '../script/answer.js'
import type { BodyKind, DecisionActual, DecisionRow, Ended, Subject } from '../subject.js'
import { mergedPolicy, type RetryCase, type RetryExpectation, type TablePolicy } from '../table/table.js'
import { DEFAULT_NOW } from './draws.js'
import { isFailFast } from './fail-fast.js'
import { compareInvariants } from './invariants.js'
import type { Comparison } from './mismatch.js'
import { describeError, type Play, type Played, play, REPLAY_URL } from './play.js'

/** Replays one row with one draw through a call; answers the sends that were made. */
export async function replayRetryCase(
  row: RetryCase,
  policy: TablePolicy,
  draw: number,
  subject: Subject,
  makeClock: MakeClock,
  compare: Comparison,
): Promise<number> {
  const call = scriptOf(row, policy, draw)
  const played = await play(subject, call, makeClock)
  const { expect } = row
  if (expect.policy_error !== undefined) {
    compare.equal('sends', 0, played.sends.length)
    compare.equal('policy_error', expect.policy_error, policyError(played))
    return played.sends.length
  }
  compare.equal('sends', expect.retry ? row.attempt + 1 : row.attempt, played.sends.length)
  if (!compareInvariants(compare, call, played)) return played.sends.length
  compareEarlierWaits(compare, row, call, played)
  if (expect.retry) compareWait(compare, expect, played.waits[row.attempt - 1])
  if (played.ended !== null) compareEnd(compare, row, played.ended, played)
  return played.sends.length
}

/** Asks the pure decision about one row with one draw. */
export async function replayDecision(
  row: RetryCase,
  policy: TablePolicy,
  draw: number,
  subject: Subject,
  compare: Comparison,
): Promise<void> {
  const { expect } = row
  let actual: DecisionActual | undefined
  try {
    actual = await subject.decide?.(decisionRow(row, policy, draw))
  } catch (error) {
    compare.fail('decide', 'a decision', `threw ${describeError(error)}`)
    return
  }
  if (actual === undefined) {
    compare.fail('decide', 'a decision', undefined)
    return
  }
  if ('policy_error' in actual || expect.policy_error !== undefined) {
    compare.equal('policy_error', expect.policy_error, 'policy_error' in actual ? actual.policy_error : undefined)
    return
  }
  compareDecision(compare, expect, actual)
  if (expect.retry) return
  compare.stated('reason', expect.reason, actual.reason ?? null)
  compare.stated('retry_after_ms', expect.retry_after_ms, actual.retry_after_ms ?? null)
}

/** What a row always states: whether to retry, and then the wait, or else whether that is failing fast. */
export function compareDecision(
  compare: Comparison,
  expect: RetryExpectation,
  actual: { retry?: boolean; wait_ms?: number | null; fail_fast?: boolean | null },
): void {
  compare.equal('retry', expect.retry, actual.retry)
  if (expect.retry) compareWait(compare, expect, actual.wait_ms ?? undefined)
  else compare.equal('fail_fast', expect.fail_fast ?? false, actual.fail_fast ?? false)
}

/** The script: attempt − 1 throttles that ask for no wait, then the row, then success. */
export function scriptOf(row: RetryCase, policy: TablePolicy, draw: number): Play {
  const throttled: Answer = { status: 429, headers: { 'retry-after': '0' } }
  const before = Array.from({ length: row.attempt - 1 }, () => throttled)
  return {
    policy: mergedPolicy(policy, row.policy),
    request: {
      method: row.method,
      url: REPLAY_URL,
      headers: { ...row.request_headers },
      body: bodyOf(row.method, row.body),
      idempotent: row.idempotent ?? false,
    },
    answers: [...before, answerOf(row), { status: 200 }],
    draws: [draw],
    abortAtMs: undefined,
    now: row.now ?? DEFAULT_NOW,
    maxSends: row.attempt + 10,
  }
}

/** fetch sends no body with GET and HEAD, whatever a row says. */
export function bodyOf(method: string, body: BodyKind | undefined): BodyKind {
  return /^(get|head)$/i.test(method) ? 'none' : (body ?? 'replayable')
}

function answerOf(row: RetryCase): Answer {
  const status = /^status:(\d+)$/.exec(row.failure)?.[1]
  if (status === undefined) return { failure: row.failure, after_ms: 0 }
  const body = row.response_body === undefined ? {} : { body: row.response_body }
  return { status: Number(status), headers: responseHeaders(row), ...body }
}

function responseHeaders(row: RetryCase): Record<string, string> {
  return row.retry_after === null ? { ...row.headers } : { ...row.headers, 'retry-after': row.retry_after }
}

export function decisionRow(row: RetryCase, policy: TablePolicy, draw: number): DecisionRow {
  const waited = row.waited_ms ?? 0
  const throttleWaited = row.throttle_waited_ms ?? 0
  return {
    policy: mergedPolicy(policy, row.policy),
    failure: row.failure,
    method: row.method,
    headers: responseHeaders(row),
    request_headers: { ...row.request_headers },
    idempotent: row.idempotent ?? false,
    body: bodyOf(row.method, row.body),
    attempt: row.attempt,
    waited_ms: waited,
    throttle_waited_ms: throttleWaited,
    elapsed_ms: row.elapsed_ms ?? waited + throttleWaited,
    transient_failures: row.transient_failures ?? row.attempt,
    retry_tokens: row.retry_tokens ?? null,
    failed_transiently: row.failed_transiently ?? false,
    response_body: row.response_body ?? null,
    now: row.now ?? DEFAULT_NOW,
    random: draw,
  }
}

/** R8: the throttles before the row ask for 0 ms, so what is slept after them is at most the stated jitter. */
export function compareEarlierWaits(compare: Comparison, row: RetryCase, call: Play, played: Played): void {
  const jitter = call.policy.stated_jitter_ms ?? (call.policy.preset === undefined ? 0 : undefined)
  if (typeof jitter !== 'number') return
  for (const [i, wait] of played.waits.slice(0, row.attempt - 1).entries()) {
    compare.within(`wait ${i + 1}, after a 429 that asks for 0 ms`, 0, jitter, wait)
  }
}

function compareWait(compare: Comparison, expect: RetryExpectation, wait: number | undefined): void {
  compare.within('wait_ms', expect.wait_ms_min ?? 0, expect.wait_ms_max ?? Number.MAX_SAFE_INTEGER, wait)
}

function compareEnd(compare: Comparison, row: RetryCase, ended: Ended, played: Played): void {
  const { expect } = row
  if ('policy_error' in ended) {
    compare.equal('policy_error', undefined, ended.policy_error)
    return
  }
  compareTold(compare, row, expect.retry === true, ended, played)
  if (expect.retry) return

  compare.equal('fail_fast', expect.fail_fast ?? false, isFailFast(ended.reason))
  // An answer below 400 is a success to the call, which has no reason to give up then.
  if (ended.outcome !== 'ok') compare.stated('reason', expect.reason, ended.reason)
  compare.stated('retry_after_ms', expect.retry_after_ms, ended.retry_after_ms)
}

/** What the call tells of its end agrees with what was measured, whatever was decided. */
export function compareTold(
  compare: Comparison,
  row: Pick<RetryCase, 'failure'>,
  retried: boolean,
  ended: Extract<Ended, { outcome: string }>,
  played: Played,
): void {
  const slept = played.waits.reduce((sum, wait) => sum + wait, 0)
  compare.equal('waited_ms, as told by the call', slept, ended.waited_ms)

  const status = retried ? 200 : Number(/^status:(\d+)$/.exec(row.failure)?.[1] ?? Number.NaN)
  if (Number.isNaN(status)) {
    compare.equal('outcome', 'gave_up', ended.outcome)
    if (!row.failure.startsWith('network:')) compare.equal('failure', row.failure, ended.failure)
    else if (ended.failure === null) compare.fail('failure', 'connect, network or timeout', null)
  } else {
    compare.equal('outcome', status < 400 ? 'ok' : 'gave_up', ended.outcome)
    compare.equal('status', status, ended.status)
  }
}

function policyError({ ended, problem }: Played): unknown {
  if (ended !== null && 'policy_error' in ended) return ended.policy_error
  return problem ?? undefined
}
