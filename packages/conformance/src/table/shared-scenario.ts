import type { Answer } from '../script/answer.js'
import type { LimitConfig, LimitExpectation } from './limit-table.js'
import type { CaseHead, ScenarioExpectation, ScenarioRequest, TablePolicy } from './table.js'

/** What a reading of a limiter has, and not what a step of a limit scenario did. */
export type LookExpectation = Omit<LimitExpectation, 'started' | 'rejected' | 'refused' | 'retry_after_ms' | 'events'>

/** Several calls that share a limiter (L10, L12). The clock stands at 0 when the limiter is made; every time is the clock's. */
export interface SharedScenario extends CaseHead {
  /** A plausible fault that fails it. */
  catches: string
  /** Over the table's; each call's own goes over it. */
  policy?: TablePolicy
  /** Fields of the limiter's config; the others have their defaults. */
  limiter: LimitConfig
  /** The calls share a retry budget too (R16). Default false. */
  retry_budget?: boolean
  /** The draws of each call in turn, the last repeating. */
  random?: number | readonly number[]
  now?: number
  calls: readonly SharedCall[]
  /** Readings of the limiter, in the order of their times. */
  looks?: readonly Look[]
  /** Each call has its own. */
  expect?: never
}

/** One of several calls. Its caller reads the answer that surfaces to its end, at once. */
export interface SharedCall {
  /** When it begins. Default 0. */
  at_ms?: number
  policy?: TablePolicy
  request?: ScenarioRequest
  answers: readonly Answer[]
  /** After `at_ms`. */
  abort_at_ms?: number
  expect: SharedExpectation
}

export interface SharedExpectation extends ScenarioExpectation {
  /** When each send was made. */
  sent_at_ms?: readonly number[]
}

/** A look at the limiter, when everything else of that millisecond has had its turn. */
export interface Look {
  at_ms: number
  expect: LookExpectation
}
