/** Windows of it before it is asked whether the limit helps: what passes by itself is over by then (L21). */
const PINNED = 6
/** Windows that the asking takes. */
const WINDOWS = 3
/** Windows until it is asked again. */
const PAUSE = 60
/** Slower than this by the probe: so the load is what slows it down. */
const SLOWER = 1.15

/** What the ceiling is to do: nothing, open, go to its floor, or stay open since it is not the load. */
export type ProbeStep = 'none' | 'open' | 'close' | 'accept'

/** A window in which the ceiling was below its maximum, and the backend slow all the same. */
export interface PinnedWindow {
  readonly p90Ms: number
  /** The ceiling while it lasted. */
  readonly ceiling: number
}

/**
 * Limited, and the backend is as slow as before: is it us at all? Opens the ceiling for a moment and looks whether that
 * makes the backend slower (L21).
 */
export class FloorProbe {
  readonly #most: number
  /** The last that were pinned, in a row. */
  #pinned: readonly PinnedWindow[] = []
  #probing = 0
  #pause = 0
  /** Mean p90 of those windows. */
  #pinnedMs = 0
  /** Mean p90 while it was open, of the last time that it was. */
  openMs = 0

  /** @param most the ceiling's maximum */
  constructor(most: number) {
    this.#most = most
  }

  /**
   * @param isThrottled throttles left less than the whole limit in it: opening this ceiling would not open the limit, and a
   *   server that refuses calls says itself that it is the load
   * @param pinned null: the window was not
   */
  windowClosed(p90Ms: number, isThrottled: boolean, pinned: PinnedWindow | null): ProbeStep {
    if (this.#probing > 0) {
      // The first window still has what began before.
      if (--this.#probing < WINDOWS - 1) this.openMs += p90Ms / (WINDOWS - 1)
      if (this.#probing > 0 && !isThrottled) return 'open'
      if (this.openMs < this.#pinnedMs * SLOWER && !isThrottled) return 'accept'
      this.#probing = 0
      this.#pause = PAUSE
      return 'close'
    }
    this.#pause--
    this.#pinned = pinned && !isThrottled ? [...this.#pinned, pinned].slice(-PINNED) : []
    if (this.#pinned.length < PINNED || this.#pause > 0) return 'none'
    // Were it us, latency would grow as the ceiling does. SLOWER is half-way to the least growth that is asked about.
    if (mean(this.#pinned.map(({ ceiling }) => ceiling)) * SLOWER ** 2 > this.#most) return 'none'
    this.#pinnedMs = mean(this.#pinned.map((window) => window.p90Ms))
    this.#pinned = []
    this.openMs = 0
    this.#probing = WINDOWS
    return 'open'
  }

  /** The present was accepted by somebody else: there is nothing to find out any more. */
  reset(): void {
    this.#pinned = []
    this.#probing = 0
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
