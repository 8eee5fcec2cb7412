import type { MakeClock } from '../clock.js'
import type { Subject } from '../subject.js'
import { type CallScenario, mergedPolicy, type ScenarioExpectation, type TablePolicy } from '../table/table.js'
import { DEFAULT_NOW } from './draws.js'
import { compareInvariants } from './invariants.js'
import type { Comparison } from './mismatch.js'
import { type Play, type Played, play, REPLAY_URL } from './play.js'
import { bodyOf } from './retry-case.js'

/** Replays one whole call with these draws; answers the sends that were made. */
export async function replayScenario(
  row: CallScenario,
  policy: TablePolicy,
  draws: readonly number[],
  subject: Subject,
  makeClock: MakeClock,
  compare: Comparison,
): Promise<number> {
  const most = Math.max(row.expect.sends ?? 0, row.answers?.length ?? 0) + 10
  const call = scriptOf(row, policy, draws, most)
  const played = await play(subject, call, makeClock)
  const { expect } = row
  compare.stated('sends', expect.sends, played.sends.length)
  if (expect.policy_error === undefined) {
    if (compareInvariants(compare, call, played)) compareExpectation(compare, expect, played)
  } else {
    const { ended, problem } = played
    compare.equal('sends', 0, played.sends.length)
    compare.equal('policy_error', expect.policy_error, ended && 'policy_error' in ended ? ended.policy_error : problem)
  }
  return played.sends.length
}

/** What of a row makes the script of a call. */
export type ScriptRow = Pick<CallScenario, 'policy' | 'request' | 'answers' | 'abort_at_ms' | 'now'>

export function scriptOf(row: ScriptRow, policy: TablePolicy, draws: readonly number[], maxSends: number): Play {
  const request = row.request ?? {}
  const method = request.method ?? 'GET'
  const answers = row.answers ?? [{ status: 200 }]
  return {
    policy: mergedPolicy(policy, row.policy),
    request: {
      method,
      url: REPLAY_URL,
      headers: { ...request.headers },
      body: bodyOf(method, request.body),
      idempotent: request.idempotent ?? false,
    },
    answers,
    draws,
    abortAtMs: row.abort_at_ms,
    now: row.now ?? DEFAULT_NOW,
    maxSends,
  }
}

/** Compares what is stated of a call with what happened, but for its sends. */
export function compareExpectation(compare: Comparison, expect: ScenarioExpectation, played: Played): void {
  const { ended } = played
  if (expect.waits_ms !== undefined) compareWaits(compare, expect.waits_ms, played.waits)
  compare.stated('ended_at_ms', expect.ended_at_ms, played.endedAtMs)
  compare.stated('body_released', expect.body_released, played.bodyReleased)
  if (ended === null) return
  if ('policy_error' in ended) {
    compare.equal('policy_error', undefined, ended.policy_error)
    return
  }
  compare.stated('outcome', expect.outcome, ended.outcome)
  compare.stated('status', expect.status, ended.status)
  compare.stated('failure', expect.failure, ended.failure)
  compare.stated('reason', expect.reason, ended.reason)
  compare.stated('retry_after_ms', expect.retry_after_ms, ended.retry_after_ms)
  compare.stated('attempts', expect.attempts, ended.attempts)
  compare.stated('waited_ms', expect.waited_ms, ended.waited_ms)
}

export function compareWaits(
  compare: Comparison,
  expected: readonly (number | readonly [number, number])[],
  actual: readonly number[],
  field = 'waits_ms',
): void {
  const bounds = expected.map((wait) => (typeof wait === 'number' ? ([wait, wait] as const) : wait))
  const agree = bounds.every(([min, max], i) => {
    const wait = actual[i]
    return wait !== undefined && wait >= min && wait <= max
  })
  if (!agree || actual.length !== expected.length) compare.fail(field, expected, actual)
}
