import type { BaselineTrust } from '../latency-monitor.js'
import type { ResolvedLimitOptions } from '../options.js'

/** A window with at least one attempt, at its close. Times are ms; those that say when are of the trace's clock. */
export interface ReplayWindow {
  /** Its place on the grid, from 0 (L3). */
  readonly index: number
  readonly endMs: number
  readonly samples: number
  /** Whether it had enough of them. */
  readonly counted: boolean
  /** Its p90; null: it did not count. */
  readonly p90Ms: number | null
  readonly baselineMs: number | null
  readonly ratio: number | null
  /** The limit once it closed. */
  readonly limit: number
  /** Whether calls were shed once it closed: by what the trace says of waits (L20). */
  readonly shedding: boolean
}

/** What the limiter did over a stretch of time. Times are ms; those that say when are of the trace's clock. */
export interface ReplaySummary {
  /** The period's name; null: all of the trace. */
  readonly period: string | null
  readonly fromMs: number
  readonly toMs: number
  /** Attempts whose latency was taken (L2). */
  readonly samples: number
  readonly throttles: number
  /** Other attempts that failed. */
  readonly failures: number
  /** Windows with at least one attempt. One that reaches into two periods is of the one that its last attempt is in. */
  readonly windows: number
  /** Those of them that had enough samples. */
  readonly countedWindows: number
  /** Those of them that closed with a limit below the maximum. */
  readonly throttledWindows: number
  /** `throttledWindows` of `windows`; 0 where there are none. */
  readonly throttledShare: number
  /**
   * Windows of `windows` that closed while calls were shed (L20), by the waits that were recorded: what happened in a trace
   * of this very limit. Another one would have changed the waits, and how many were let go is in no trace. Null: no sample
   * said how long it had waited.
   */
  readonly sheddingWindows: number | null
  /** `sheddingWindows` of `windows`; null where that is. */
  readonly sheddingShare: number | null
  /** Over time, not over windows. */
  readonly meanLimit: number
  readonly lowestLimit: number
  /** Mean of the p90 of the windows that counted; null: none did. */
  readonly p90Ms: number | null
  readonly highestP90Ms: number | null
  /** As its last window closed; null: nothing was known yet. */
  readonly baselineMs: number | null
  /** How often each ceiling fell (L6, L9). */
  readonly latencyFalls: number
  readonly throttleFalls: number
  /**
   * How often the ceiling was opened to ask whether the load is what slows the backend, and the trace, which nothing changes,
   * was no slower: its latency was then taken for the ordinary one (L21).
   */
  readonly acceptances: number
}

/** The ceiling was opened to ask whether the load is what slows the backend (L21). It is no recovery. */
export interface BackoffAsk {
  readonly fromMs: number
  /** When there was an answer; null: the trace had ended. */
  readonly untilMs: number | null
  /**
   * True: it is not the load, and the present was taken for the ordinary, so that all of the limit was back. False: it is,
   * and the ceiling went to its floor. Null: there was no answer yet.
   */
  readonly accepted: boolean | null
}

/** From the first fall of the limit until all of it was back, and not open only to ask. */
export interface Backoff {
  readonly fromMs: number
  /** Null: it was not back when the trace ended. */
  readonly untilMs: number | null
  readonly lowestLimit: number
  /** Which ceilings fell. */
  readonly latency: boolean
  readonly throttle: boolean
  /** How often it was asked meanwhile whether it is us, and what the answer was (L21): the first thousand of all of them. */
  readonly asks: readonly BackoffAsk[]
}

/** Neighbouring windows, for a picture. */
export interface ReplayPoint {
  readonly fromMs: number
  readonly toMs: number
  /** With at least one attempt. */
  readonly windows: number
  /** Mean of the p90 of those that counted; null: none did. */
  readonly p90Ms: number | null
  readonly highestP90Ms: number | null
  /** As the last of them closed. */
  readonly baselineMs: number | null
  /** Mean of the limits at their ends. */
  readonly limit: number
  readonly lowestLimit: number
}

/** What a replay came to. */
export interface ReplayResult {
  readonly options: ResolvedLimitOptions
  /** Where the grid of windows begins. */
  readonly originMs: number
  readonly whole: ReplaySummary
  /** In the order in which they began. */
  readonly periods: readonly ReplaySummary[]
  /** The first thousand. */
  readonly backoffs: readonly Backoff[]
  readonly backoffsInAll: number
  /** How often it was asked whether it is us (L21). */
  readonly asksInAll: number
  readonly points: readonly ReplayPoint[]
  /** Places on the grid that a point stands for: 1, 2, 4, … */
  readonly windowsPerPoint: number
  /** Of the fullest window. */
  readonly mostSamples: number
  /** How far the baseline can be believed at the end (L17). */
  readonly trust: BaselineTrust
}
