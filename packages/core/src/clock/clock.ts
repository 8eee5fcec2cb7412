/** Where time comes from (R18). Hand in one of your own, or a `VirtualClock` from `@sluice/core/testing`, to control it. */
export interface Clock {
  /** Monotonic milliseconds, fractions allowed; only differences mean anything. Durations are measured with it. */
  now(): number
  /** Epoch milliseconds of the wall clock. HTTP dates are compared with it, nothing else. */
  wallNow(): number
  /**
   * Calls `fire` once, not before `ms` milliseconds have passed; any finite `ms`, also above 2^31 − 1.
   * @returns a function that cancels it; cancelling twice, or after it fired, does nothing.
   */
  timer(ms: number, fire: () => void): () => void
}
