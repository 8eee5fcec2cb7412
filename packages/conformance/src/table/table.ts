import type { Suite as SpecSuite } from '@sluice/spec'
import type { Answer } from '../script/answer.js'
import type { BodyKind } from '../subject.js'
import type { IngestScenario, IngestTable } from './ingest-table.js'
import type { LimitScenario, LimitTable } from './limit-table.js'
import type { SharedScenario } from './shared-scenario.js'

/** The suites whose tables can be replayed against an implementation. */
export const SUITES: readonly Suite[] = ['retry-cases', 'call-scenarios', 'backoff-scenarios', 'ingest-scenarios']
/** Those of them that a client is held to: a policy, calls and a limiter. */
export const CLIENT_SUITES: readonly Suite[] = ['retry-cases', 'call-scenarios', 'backoff-scenarios']
/** Those that are about a call: every package with one replays them. */
export const CALL_SUITES: readonly Suite[] = ['retry-cases', 'call-scenarios']
/** The one that is only checked here, since each surface replays it with tests of its own. */
export type CheckedSuite = 'surface-cases'
export type Suite = Exclude<SpecSuite, CheckedSuite>
/** Every suite there is. */
export const ALL_SUITES: readonly SpecSuite[] = [...CLIENT_SUITES, 'surface-cases', 'ingest-scenarios']

export function isSuite(value: unknown): value is SpecSuite {
  return ALL_SUITES.some((suite) => suite === value)
}

export function isReplayed(table: Table | CheckedTable): table is Table {
  return SUITES.some((suite) => suite === table.suite)
}

/** Settings in the tables' words: snake_case, times in integer milliseconds; `preset` takes a named one first. */
export type TablePolicy = Readonly<Record<string, unknown>>

export interface CaseHead {
  /** `suite/kebab-words`. */
  id: string
  /** The rule it pins (`R9`, `H3`, …); null in the plain public format. */
  rule: string | null
  /** `may`: reported, never failing. */
  level: 'must' | 'may'
  /** Features a subject must have, else the case is skipped and counted as skipped. */
  needs: readonly string[]
  /** One plain sentence. */
  name: string
  /** The public documentation the case is taken from. */
  source?: string
}

/** One decision. Absent numbers have the defaults of `DecisionRow`. */
export interface RetryCase extends CaseHead {
  /** `decision`: replayed where there is a decision function, and not through a call. */
  scope?: 'decision'
  failure: string
  method: string
  /** Raw header value, or null: absent. */
  retry_after: string | null
  attempt: number
  waited_ms?: number
  throttle_waited_ms?: number
  elapsed_ms?: number
  transient_failures?: number
  retry_tokens?: number
  failed_transiently?: boolean
  headers?: Readonly<Record<string, string>>
  request_headers?: Readonly<Record<string, string>>
  idempotent?: boolean
  body?: BodyKind
  response_body?: string
  now?: number
  /** In [0, 1); absent: 0, 0.5 and 1 − 2^−53 are tried, and all must satisfy the bounds. */
  random?: number
  policy?: TablePolicy
  expect: RetryExpectation
}

export interface RetryExpectation {
  retry?: boolean
  wait_ms_min?: number
  wait_ms_max?: number
  /** With retry false; absent means false, and is compared. */
  fail_fast?: boolean
  reason?: string | null
  retry_after_ms?: number | null
  /** The policy field that is refused; then nothing else is expected. */
  policy_error?: string
}

export interface ScenarioRequest {
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: BodyKind
  idempotent?: boolean
}

/** One whole call. */
export interface CallScenario extends CaseHead {
  calls?: never
  policy?: TablePolicy
  request?: ScenarioRequest
  /** What each send meets in turn, the last repeating. Absent only where the policy is refused. */
  answers?: readonly Answer[]
  /** The draws in turn, the last repeating. */
  random?: number | readonly number[]
  abort_at_ms?: number
  now?: number
  /** Also run over real sockets. */
  real_time?: boolean
  expect: ScenarioExpectation
}

export interface ScenarioExpectation {
  sends?: number
  /** Completed waits: a number, or an inclusive [min, max]. */
  waits_ms?: readonly (number | readonly [number, number])[]
  outcome?: 'ok' | 'gave_up' | 'aborted'
  status?: number | null
  failure?: string | null
  reason?: string | null
  retry_after_ms?: number | null
  attempts?: number
  waited_ms?: number
  ended_at_ms?: number
  body_released?: number
  policy_error?: string
}

export interface TableHead {
  /** The file's name, for messages. */
  file: string
  /** The tables' semver; null in the plain public format. */
  version: string | null
}

interface PolicyHead extends TableHead {
  /** The suite's defaults. */
  policy: TablePolicy
}

export interface RetryTable extends PolicyHead {
  suite: 'retry-cases'
  cases: readonly RetryCase[]
}

export interface ScenarioTable extends PolicyHead {
  suite: 'call-scenarios'
  cases: readonly (CallScenario | SharedScenario)[]
}

/** A table that is known to be sound, and that nothing here replays. */
export interface CheckedTable extends TableHead {
  suite: CheckedSuite
  cases: readonly CaseHead[]
}

export type Table = RetryTable | ScenarioTable | LimitTable | IngestTable
export type TableCase = RetryCase | CallScenario | SharedScenario | LimitScenario | IngestScenario

/** Whether a scenario is of several calls. */
export function isShared(row: TableCase): row is SharedScenario {
  return 'calls' in row
}

/** The policy of one case: the file's with the case's over it, or the case's own preset in place of the file's. */
export function mergedPolicy(table: TablePolicy, own: TablePolicy | undefined): Record<string, unknown> {
  if (own?.preset !== undefined) return { ...own }
  return { ...table, ...own }
}
