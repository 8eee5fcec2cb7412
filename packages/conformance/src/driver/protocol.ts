import type { MachineReading } from '../table/ingest-table.js'
import type { LimitReading, LimitStepActual } from '../table/limit-table.js'
import type { Suite } from '../table/table.js'

/** The version of the protocol that this runner speaks. */
export const PROTOCOL = 1

/** What a driver can be asked: a table's suite, or one real call against the runner's own server. */
export type DriverSuite = Suite | 'wire'

/** How a driver answers `hello`. */
export interface DriverHello {
  /** Of what is tested. */
  name: string
  language: string
  version: string
  /** Cases of other suites are skipped. A suite the runner does not know is ignored. */
  suites: readonly string[]
  /** Features of the tables' `needs`, and `omits:FIELD` for optional fields of `actual` that are never told. */
  features: readonly string[]
}

/** One case, as it is sent; the runner adds `cmd` and `seq`. */
export type DriverRun = CallRun | StepsRun

/** Steps over time. */
export type StepsRun = LimitRun | MachineRun

interface Steps {
  /** Merged: nothing is left to be looked up in a table. */
  config: Record<string, unknown>
  /** The case without what its steps expect. */
  case: { readonly id: string; readonly [field: string]: unknown }
}

/** Of a limiter. */
export interface LimitRun extends Steps {
  suite: 'backoff-scenarios'
}

/** Of a state machine of ingest protection. */
export interface MachineRun extends Steps {
  suite: 'ingest-scenarios'
}

/** One decision, or one call. */
export interface CallRun {
  suite: Exclude<DriverSuite, StepsRun['suite']>
  /** Merged: nothing is left to be looked up in a table. */
  policy: Record<string, unknown>
  /** The case without its `expect`. */
  case: { readonly id: string; readonly [field: string]: unknown }
  /** The draw, or the draws in turn, the last repeating. Absent in wire mode. */
  random?: number | readonly number[]
  /** Wire mode: where the call goes. */
  base_url?: string
}

/** How a driver answers a run. */
export type DriverAnswer = { actual: DriverActual } | { skipped: string } | { error: string }

/** Everything a driver may tell; which fields count depends on the suite. */
export interface DriverActual {
  retry?: boolean
  wait_ms?: number | null
  fail_fast?: boolean | null
  reason?: string | null
  retry_after_ms?: number | null
  policy_error?: string | null
  sends?: number
  waits_ms?: readonly number[]
  outcome?: 'ok' | 'gave_up' | 'aborted'
  status?: number | null
  failure?: string | null
  attempts?: number
  waited_ms?: number
  ended_at_ms?: number
  body_released?: number
  /** Of call-scenarios with several calls: one of these each, with `sent_at_ms`; and a reading for each look. */
  calls?: readonly DriverActual[]
  sent_at_ms?: readonly number[]
  looks?: readonly Partial<LimitReading>[]
  config_error?: string | null
  /** Of backoff-scenarios and ingest-scenarios: a reading a step, with what the step did. */
  steps?: readonly Partial<LimitStepActual>[] | readonly MachineReading[]
}

/** An implementation that answers cases one by one, whatever carries them: stdin and stdout, or the same process. */
export interface Driver {
  hello: DriverHello
  /** A rejection is told as `error`: the case fails. */
  run(run: DriverRun, signal: AbortSignal): Promise<DriverAnswer>
}

/** A driver that has said hello and waits for cases. */
export interface DriverSession {
  readonly hello: DriverHello
  /**
   * Asks one case.
   *
   * @throws DriverError where the driver broke the protocol; every later call then rejects alike.
   */
  run(run: DriverRun): Promise<DriverAnswer>
  /**
   * Says bye and waits for the end.
   *
   * @throws DriverError where it did not end as the protocol says; it is ended all the same.
   */
  close(): Promise<void>
  /** Ends it at once, whatever it is doing. */
  kill(): Promise<void>
}
