import type { ResolvedLimitOptions } from './options.js'
import type { Prior } from './prior.js'

/** A window that counted. */
export interface CountedWindow {
  readonly p90Ms: number
  readonly smoothedMs: number
  /** From the end of the last window that counted to the end of this one. */
  readonly elapsedMs: number
  /** The end of this one. */
  readonly atMs: number
  /** Since when the latency ceiling has been below its maximum, or null: it is there. */
  readonly belowMaxSinceMs: number | null
}

/** What is taken for the backend's ordinary latency. Exchangeable: another may learn in another way. */
export interface Baseline {
  /** Null: nothing is known. */
  readonly valueMs: number | null
  /** Windows that counted so far, those of a prior included. */
  readonly windows: number
  /** Called once for each window that counts. */
  learn(window: CountedWindow): void
  /**
   * This is the ordinary from now on.
   * @param windows how many it counts for; default: as many as before
   */
  reset(ms: number, windows?: number): void
}

/** How fast a lasting change is taken in once the baseline has been frozen for long (L8). */
const GROWTH_PER_HOUR = 1.02
const HOUR = 3_600_000

/** The weight of what is new in an exponential average, after so many of its time constants. */
export const weightAfter = (timeConstants: number): number => -Math.expm1(-timeConstants)

/** A running mean while it is young, then an average over about a day; frozen under overload, but not for ever (L5, L7, L8). */
export class SlowBaseline implements Baseline {
  readonly #timeConstantMs: number
  readonly #maxFreezeMs: number
  valueMs: number | null
  windows: number

  constructor(options: ResolvedLimitOptions, prior: Prior | null) {
    this.#timeConstantMs = options.baselineTimeConstantMs
    this.#maxFreezeMs = options.maxFreezeMs
    this.valueMs = prior?.p90Ms ?? null
    // L17: a prior counts for a whole warm-up at least, so that there is a ratio from the first window.
    this.windows = prior === null ? 0 : Math.max(prior.windows, options.warmupWindows + 1)
  }

  learn({ p90Ms, smoothedMs, elapsedMs, atMs, belowMaxSinceMs }: CountedWindow): void {
    this.windows++
    const value = this.valueMs ?? p90Ms
    this.valueMs = value
    if (belowMaxSinceMs === null) {
      // L5: the first windows weigh alike.
      const share = Math.max(1 / this.windows, weightAfter(elapsedMs / this.#timeConstantMs))
      this.valueMs = value + share * (p90Ms - value)
    } else if (atMs - belowMaxSinceMs > this.#maxFreezeMs) {
      // L8: after hours of it, a change is slowly taken for lasting. L7: until then nothing is learned from an overload.
      this.valueMs = Math.max(value, Math.min(smoothedMs, value * GROWTH_PER_HOUR ** (elapsedMs / HOUR)))
    }
  }

  reset(ms: number, windows: number = this.windows): void {
    this.valueMs = ms
    this.windows = windows
  }
}
