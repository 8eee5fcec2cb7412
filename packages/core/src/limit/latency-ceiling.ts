import type { ResolvedLimitOptions } from './options.js'

/** A window that counted. Times are ms. */
export interface LimitWindow {
  /** Present over ordinary; null: not known yet. */
  readonly ratio: number | null
  readonly baselineMs: number | null
  readonly p90Ms: number
  /** Share of its samples that timed out. */
  readonly timedOut: number
  /** Its end. */
  readonly atMs: number
  /** What it weighs in the smoothed latency. */
  readonly weight: number
  /** In flight when a sample came, that attempt included; the mean of all. */
  readonly inFlight: number
  /** How long its samples had waited for their slots, holds left out; the mean of all. */
  readonly waitedMs: number
  /** Whether throttles left less than the whole limit at any time of it (L9). */
  readonly throttled: boolean
}

/** Turns the ratio of present latency to baseline into a ceiling. Exchangeable. */
export interface LatencyCeiling {
  readonly value: number
  /** Since when it has been below its maximum; null: it is there. */
  readonly belowMaxSinceMs: number | null
  /** Whether callers who would wait in vain are let go (L20). Default: never. */
  readonly isShedding?: boolean
  /** What is left of its overdraft, in ms (L19). Default: it has none. */
  readonly overdraftLeftMs?: number
  /** How long a caller waits at most meanwhile, in ms. */
  patienceMs?(baselineMs: number): number
  /**
   * A window that counted has closed.
   * @returns the latency, in ms, that is to be taken for the present and the ordinary one (L21); null: none is
   */
  windowClosed(window: LimitWindow): number | null
  /** Back to the maximum. */
  reset(): void
}

/** Falls by a factor, comes back one by one, and holds still between the two ratios (L6). */
export class SteppedCeiling implements LatencyCeiling {
  readonly #options: ResolvedLimitOptions
  value: number
  belowMaxSinceMs: number | null = null

  constructor(options: ResolvedLimitOptions) {
    this.#options = options
    this.value = options.maxConcurrent
  }

  windowClosed({ ratio, atMs }: LimitWindow): null {
    const { maxConcurrent, floor, backoffRatio, recoveryRatio, decreaseFactor } = this.#options
    if (ratio === null) return null
    if (ratio > backoffRatio)
      this.value = Math.min(this.value, Math.max(floor, Math.floor(this.value * decreaseFactor)))
    else if (ratio < recoveryRatio) this.value = Math.min(maxConcurrent, this.value + 1)
    // L8: the clock runs from the first fall until the whole limit is back.
    this.belowMaxSinceMs = this.value < maxConcurrent ? (this.belowMaxSinceMs ?? atMs) : null
    return null
  }

  reset(): void {
    this.value = this.#options.maxConcurrent
    this.belowMaxSinceMs = null
  }
}

/** The kill switch: latency is measured and changes nothing (L14). */
export class FixedCeiling implements LatencyCeiling {
  readonly value: number
  readonly belowMaxSinceMs = null

  constructor({ maxConcurrent }: ResolvedLimitOptions) {
    this.value = maxConcurrent
  }

  windowClosed(): null {
    return null
  }

  reset(): void {}
}
