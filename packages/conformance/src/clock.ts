/**
 * The virtual clock a replay runs on. It is a parameter: any object of this shape will do, and nothing sleeps for real.
 * (R18: durations come from a monotonic source, dates from the wall clock.)
 */
export interface ReplayClock {
  /** Monotonic milliseconds, 0 when the clock is made. */
  now(): number
  /** Epoch milliseconds: the wall clock that dates in headers are compared with. */
  wallNow(): number
  /** Fires once, `ms` milliseconds from now; timers of the same moment fire in the order they were set. Returns cancel. */
  timer(ms: number, fire: () => void): () => void
  /**
   * Advances virtual time from timer to timer until the promise settles, draining microtasks and one macrotask between
   * timers. Rejects when the promise is pending and nothing is left to fire.
   */
  run<T>(promise: Promise<T>): Promise<T>
  /** How many timers are set and neither fired nor cancelled. Where it is there, a call that leaves one is a mismatch. */
  pending?(): number
}

/** Makes a clock whose monotonic time is 0 and whose wall clock shows `wallNow` (epoch milliseconds). */
export type MakeClock = (wallNow: number) => ReplayClock
