/** Whether a row's latency says something: that of a success, or of an attempt that was given up (L2). */
export const isSample = ({ status, timeout = false }: Pick<ReplaySample, 'status' | 'timeout'>): boolean =>
  timeout || status == null || (status >= 200 && status < 400)

/** One row of a trace: an attempt that ended, or several alike. Times are ms. */
export interface ReplaySample {
  /** When it ended, as epoch ms (any clock will do, as long as it is the same for all). Never before the one added last. */
  readonly atMs: number
  /** How long it took. What is no latency (NaN, say, where an answer has none) is no sample. */
  readonly latencyMs: number
  /**
   * The answer's HTTP status. 200 to 399 is a sample, 429 a throttle, anything else a failure, which is no sample (L2).
   * Default null: it is not known, and a success.
   */
  readonly status?: number | null | undefined
  /** The wait that a throttle stated: a hold, of `maxHoldMs` at most (L10). Default null: none was stated. */
  readonly retryAfterMs?: number | null | undefined
  /** How many attempts the row stands for. Default 1. */
  readonly count?: number | undefined
  /** It was given up after `latencyMs`; a sample whatever its status (L2). Default false. */
  readonly timeout?: boolean | undefined
  /** Attempts in flight when it ended, itself included (L18). Default null: it is estimated of all latencies of the window. */
  readonly inFlight?: number | null | undefined
  /** How long its call had waited for its slot, holds left out (L19). Default: it is not known, and 0. */
  readonly waitedMs?: number | undefined
  /** The stretch of time that begins here or goes on, by name. Default null: none. */
  readonly period?: string | null | undefined
}
