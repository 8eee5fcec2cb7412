/**
 * Real time, handed in: what bounds a driver that hangs, and what wire mode measures with. Of the shape of
 * `systemClock` in @sluice/core.
 */
export interface HostClock {
  /** Monotonic milliseconds, fractions allowed; only differences mean anything. */
  now(): number
  /** Epoch milliseconds. */
  wallNow(): number
  /** Fires once, not before `ms` milliseconds have passed. Returns cancel. */
  timer(ms: number, fire: () => void): () => void
}

/** Fulfils after `ms` milliseconds. */
export function pause(clock: HostClock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.timer(ms, resolve)
  })
}
