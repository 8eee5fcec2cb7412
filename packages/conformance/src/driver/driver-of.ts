import type { MakeClock } from '../clock.js'
import type { HostClock } from '../host-clock.js'
import { scriptOf as scenarioScript } from '../run/call-scenario.js'
import { isFailFast } from '../run/fail-fast.js'
import { compareInvariants } from '../run/invariants.js'
import { playLimit } from '../run/limit-scenario.js'
import { playMachine } from '../run/machine-scenario.js'
import { Comparison, mismatchLine } from '../run/mismatch.js'
import { type Played, play } from '../run/play.js'
import { compareEarlierWaits, compareTold, decisionRow, scriptOf } from '../run/retry-case.js'
import { isDecision } from '../run/run-case.js'
import { playShared, type SharedScript, sendTimes } from '../run/shared-scenario.js'
import type { BodyKind, Subject } from '../subject.js'
import type { IngestScenario } from '../table/ingest-table.js'
import type { LimitScenario } from '../table/limit-table.js'
import { CALL_SUITES, type CallScenario, type RetryCase } from '../table/table.js'
import type { CallRun, Driver, DriverActual, DriverAnswer, StepsRun } from './protocol.js'

/** How long a call may go on: its case does not say how many sends are right. */
const MOST_SENDS = 1_000

/** What a call over real sockets is made of. */
export interface WireMeans {
  fetch: typeof fetch
  clock: HostClock
  /** Draws, in [0, 1). */
  random: () => number
}

export interface DriverOfOptions {
  /** Of what is tested. */
  name: string
  version: string
  /** Default `TypeScript`. */
  language?: string
  /** The features of the tables' `needs`; a subject that lists its own needs none here. */
  features?: readonly string[]
  /** For the suites that are played on virtual time; without it the driver does not announce them. backoff-scenarios needs a subject's `limit` too, ingest-scenarios its `machine`. */
  makeClock?: MakeClock
  /** For wire; without it the driver does not announce it. */
  wire?: WireMeans
}

/**
 * Makes a driver out of a subject. A retry case becomes a call, as in a replay, and what is answered was measured
 * outside it; only rows of scope `decision` ask the decision function. What holds of every call (the same request on
 * each send, no timer left, …) is told as an error where it does not.
 */
export function driverOf(subject: Subject, options: DriverOfOptions): Driver {
  const { name, version, language = 'TypeScript', makeClock, wire } = options
  const features = options.features ?? subject.features ?? []
  const virtual = [
    ...CALL_SUITES,
    ...(subject.limit === undefined ? [] : ['backoff-scenarios']),
    ...(subject.machine === undefined ? [] : ['ingest-scenarios']),
  ]
  const suites = [...(makeClock === undefined ? [] : virtual), ...(wire === undefined ? [] : ['wire'])]
  return {
    hello: { name, language, version, suites, features },
    async run(run, signal) {
      if (run.suite === 'wire') {
        return wire === undefined ? { skipped: 'no wire' } : { actual: await callForReal(subject, run, wire, signal) }
      }
      if (makeClock === undefined) return { skipped: `no clock for ${run.suite}` }
      if (run.suite === 'backoff-scenarios' || run.suite === 'ingest-scenarios')
        return playSteps(subject, run, makeClock)
      const draws = typeof run.random === 'number' ? [run.random] : (run.random ?? [0])
      if (run.suite === 'call-scenarios')
        return (run.case.calls === undefined ? playScenario : playCalls)(subject, run, draws, makeClock)
      return playRetryCase(subject, run, draws[0] ?? 0, makeClock)
    },
  }
}

async function playSteps({ limit, machine }: Subject, run: StepsRun, makeClock: MakeClock): Promise<DriverAnswer> {
  // A case of this suite without its expectations.
  if (run.suite === 'ingest-scenarios') {
    if (machine === undefined) return { skipped: 'no machines' }
    return { actual: await playMachine(run.case as unknown as IngestScenario, run.config, machine, makeClock) }
  }
  if (limit === undefined) return { skipped: 'no limiter' }
  return { actual: await playLimit(run.case as unknown as LimitScenario, run.config, limit, makeClock) }
}

async function playRetryCase(
  subject: Subject,
  run: CallRun,
  draw: number,
  makeClock: MakeClock,
): Promise<DriverAnswer> {
  // A case of this suite without its expectation, which no driver is told.
  const row = { ...run.case, expect: {} } as unknown as RetryCase
  if (isDecision(row)) {
    if (subject.decide === undefined) return { skipped: 'no decision function' }
    return { actual: await subject.decide(decisionRow(row, run.policy, draw)) }
  }
  const call = scriptOf(row, run.policy, draw)
  const played = await play(subject, call, makeClock)
  const { ended, sends, waits } = played
  if (ended !== null && 'policy_error' in ended) return refused(ended.policy_error, played)

  const compare = new Comparison()
  const retry = sends.length > row.attempt
  compare.equal('sends', retry ? row.attempt + 1 : row.attempt, sends.length)
  if (!compareInvariants(compare, call, played) || ended === null) return broken(compare)
  compareEarlierWaits(compare, row, call, played)
  compareTold(compare, row, retry, ended, played)
  if (compare.mismatches.length > 0) return broken(compare)
  const { reason, retry_after_ms } = ended
  if (retry) return { actual: { retry, wait_ms: waits[row.attempt - 1] ?? null } }
  return { actual: { retry, fail_fast: isFailFast(reason), reason, retry_after_ms } }
}

async function playScenario(
  subject: Subject,
  run: CallRun,
  draws: readonly number[],
  makeClock: MakeClock,
): Promise<DriverAnswer> {
  // As above.
  const row = { ...run.case, expect: {} } as unknown as CallScenario
  const call = scenarioScript(row, run.policy, draws, MOST_SENDS)
  const played = await play(subject, call, makeClock)
  const { ended } = played
  if (ended !== null && 'policy_error' in ended) return refused(ended.policy_error, played)
  const compare = new Comparison()
  if (!compareInvariants(compare, call, played) || compare.mismatches.length > 0) return broken(compare)
  return { actual: toldOf(played) }
}

/** What a driver tells of a call. */
function toldOf({ ended, sends, waits, endedAtMs, bodyReleased }: Played): DriverActual {
  return { ...ended, sends: sends.length, waits_ms: waits, ended_at_ms: endedAtMs, body_released: bodyReleased }
}

async function playCalls(
  { share }: Subject,
  run: CallRun,
  draws: readonly number[],
  makeClock: MakeClock,
): Promise<DriverAnswer> {
  if (share === undefined) return { skipped: 'no limiter' }
  // A case of several calls without what they expect; the policy of each is whole.
  const played = await playShared(run.case as unknown as SharedScript, run.policy, draws, share, makeClock)
  if ('config_error' in played) return { actual: played }
  const compare = new Comparison()
  for (const [i, { call, played: one }] of played.calls.entries())
    compareInvariants(compare.part(`calls[${i}]`), call, one)
  if (compare.mismatches.length > 0) return broken(compare)
  const calls = played.calls.map((one) => ({ ...toldOf(one.played), sent_at_ms: sendTimes(one.played) }))
  return { actual: { calls, looks: played.looks } }
}

async function callForReal(
  subject: Subject,
  { policy, case: { request }, base_url = '' }: CallRun,
  { fetch, clock, random }: WireMeans,
  signal: AbortSignal,
): Promise<DriverActual> {
  // wire: every field of the request is filled in.
  const { method, headers, body, idempotent } = request as {
    method: string
    headers: Record<string, string>
    body: BodyKind
    idempotent: boolean
  }
  return subject.call({
    policy,
    request: { method, url: base_url, headers: { ...headers }, body, idempotent },
    fetch,
    clock: {
      now: () => clock.now(),
      wallNow: () => clock.wallNow(),
      timer: (ms, fire) => clock.timer(ms, fire),
      run: (promise) => promise,
    },
    random,
    signal,
  })
}

function refused(field: string, { sends }: Played): DriverAnswer {
  if (sends.length === 0) return { actual: { policy_error: field } }
  return { error: `the policy was refused for ${field} after ${sends.length} sends` }
}

function broken({ mismatches }: Comparison): DriverAnswer {
  return { error: mismatches.map(mismatchLine).join('; ') }
}
