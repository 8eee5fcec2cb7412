import type { MakeClock, ReplayClock } from '../clock.js'
import type { Subject } from '../subject.js'
import type { LimitReading } from '../table/limit-table.js'
import type { SharedScenario } from '../table/shared-scenario.js'
import { mergedPolicy, type TablePolicy } from '../table/table.js'
import { compareExpectation, compareWaits, scriptOf } from './call-scenario.js'
import { compareReading } from './compare-limit.js'
import { DEFAULT_NOW } from './draws.js'
import { compareInvariants } from './invariants.js'
import type { Comparison } from './mismatch.js'
import { describeError, type Play, type Played, stage } from './play.js'

/** How long a call may go on: a driver is not told how many sends are right. */
const MOST_SENDS = 100

/** What came of playing several calls: each of them, and the limiter at each look; or that its config was refused. */
export type SharedPlayed =
  | { calls: readonly { call: Play; played: Played }[]; looks: readonly LimitReading[] }
  | { config_error: string }

/** What is needed of a scenario to play it: not what it expects. */
export type SharedScript = Omit<SharedScenario, 'calls' | 'looks'> & {
  calls: readonly Omit<SharedScenario['calls'][number], 'expect'>[]
  looks?: readonly { at_ms: number }[]
}

/** Replays several calls that share a limiter; answers the sends that were made. */
export async function replayShared(
  row: SharedScenario,
  policy: TablePolicy,
  draws: readonly number[],
  share: NonNullable<Subject['share']>,
  makeClock: MakeClock,
  compare: Comparison,
): Promise<number> {
  const played = await playShared(row, policy, draws, share, makeClock)
  if ('config_error' in played) {
    compare.equal('config_error', undefined, played.config_error)
    return 0
  }
  for (const [i, { call, played: one }] of played.calls.entries()) {
    const { sends, sent_at_ms, ...expect } = row.calls[i]?.expect ?? {}
    const of = compare.part(`calls[${i}]`)
    of.stated('sends', sends, one.sends.length)
    if (sent_at_ms !== undefined) compareWaits(of, sent_at_ms, sendTimes(one), 'sent_at_ms')
    if (compareInvariants(of, call, one)) compareExpectation(of, expect, one)
  }
  for (const [i, { expect }] of (row.looks ?? []).entries()) {
    const seen = played.looks[i]
    if (seen === undefined) compare.fail(`looks[${i}]`, 'a reading', undefined)
    else compareReading(compare, `looks[${i}]`, expect, seen)
  }
  return played.calls.reduce((sum, { played: { sends } }) => sum + sends.length, 0)
}

/**
 * Plays several calls on one fresh clock, from the making of their limiter until the last has ended and the last look
 * was taken.
 */
export async function playShared(
  row: SharedScript,
  policy: TablePolicy,
  draws: readonly number[],
  share: NonNullable<Subject['share']>,
  makeClock: MakeClock,
): Promise<SharedPlayed> {
  const { now = DEFAULT_NOW, limiter, retry_budget = false, looks = [] } = row
  const clock = makeClock(now)
  const shared = share({ limiter: { ...limiter }, retry_budget }, clock)
  if ('config_error' in shared) return shared
  const of = mergedPolicy(policy, row.policy)
  const calls = row.calls.map((one) => {
    const call = scriptOf({ ...one, now }, of, draws, MOST_SENDS)
    return { call, atMs: one.at_ms ?? 0, staged: stage(call, clock, true) }
  })
  // In the order of the table where they begin in the same millisecond; a look comes last.
  const begun = calls.map(({ atMs, staged }) => at(clock, atMs).then(() => staged.begin((call) => shared.call(call))))
  const read = looks.map(({ at_ms }) => lookAt(clock, at_ms).then(() => shared.read()))
  let stuck: string | null = null
  const readings = Promise.all(read)
  try {
    await clock.run(Promise.all([...begun, readings]))
  } catch (error) {
    stuck = describeError(error)
  }
  for (const { staged } of calls) staged.strike()
  const seen = stuck === null ? await readings : []
  return { calls: calls.map(({ call, staged }) => ({ call, played: staged.played(stuck) })), looks: seen }
}

export const sendTimes = ({ sends }: Played): number[] => sends.map(({ atMs }) => atMs)

const at = (clock: ReplayClock, ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.timer(ms, resolve)
  })

/** When whatever is due at that time has had its turn, also what others due then set for at once. */
async function lookAt(clock: ReplayClock, ms: number): Promise<void> {
  for (const some of [ms, 0, 0]) await at(clock, some)
}
