import type { Clock } from '../clock/clock.js'
import { onAbort } from './on-abort.js'

/** What may end the work before it ends itself. */
export interface Bounds<T> {
  clock: Clock
  /** The caller's; its abort rejects with its own reason, untouched (R11). */
  signal: AbortSignal | undefined
  /** Longest time in ms; default Infinity: none. */
  ms?: number
  /** What to reject with when the time is up; called once. */
  expired?: () => unknown
  /** Called with the reason when a bound, and not the work, ended it. */
  stopped?: (reason: unknown) => void
  /** Takes what the work fulfils with after it was stopped. */
  late?: (value: T) => void
}

/**
 * Settles as `work` does, or when a bound ends it, whichever is first, and leaves no timer and no listener behind.
 * Work that ignores its signal is left to itself: the caller is not kept waiting for it.
 */
export function bounded<T>(work: () => PromiseLike<T> | T, bounds: Bounds<T>): Promise<T> {
  const { clock, signal, ms = Number.POSITIVE_INFINITY } = bounds
  return new Promise((resolve, reject) => {
    let over = false
    let cancelTimer: (() => void) | undefined
    let unlink: (() => void) | undefined
    const end = (): boolean => {
      if (over) return false
      over = true
      cancelTimer?.()
      unlink?.()
      return true
    }
    const stop = (reason: unknown): void => {
      if (!end()) return
      reject(reason) // before the work hears of it: its own rejection would come second
      bounds.stopped?.(reason)
    }
    if (signal?.aborted) return stop(signal.reason)
    if (signal) unlink = onAbort(signal, () => stop(signal.reason))
    new Promise<T>((run) => run(work())).then(
      (value) => (end() ? resolve(value) : bounds.late?.(value)),
      (error) => end() && reject(error),
    )
    // After the work has begun: an answer in the same millisecond was scheduled first, and counts (R10).
    if (!over && Number.isFinite(ms)) cancelTimer = clock.timer(ms, () => stop(bounds.expired?.()))
  })
}
