import type { ResolvedLimitOptions } from './options.js'

/** Turns the ratio of present latency to baseline into a ceiling. Exchangeable. */
export interface LatencyCeiling {
  readonly value: number
  /** Since when it has been below its maximum; null: it is there. */
  readonly belowMaxSinceMs: number | null
  /** A window that counted has closed. @param ratio null: not known yet */
  windowClosed(ratio: number | null, atMs: number): void
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

  windowClosed(ratio: number | null, atMs: number): void {
    const { maxConcurrent, floor, backoffRatio, recoveryRatio, decreaseFactor } = this.#options
    if (ratio === null) return
    if (ratio > backoffRatio)
      this.value = Math.min(this.value, Math.max(floor, Math.floor(this.value * decreaseFactor)))
    else if (ratio < recoveryRatio) this.value = Math.min(maxConcurrent, this.value + 1)
    // L8: the clock runs from the first fall until the whole limit is back.
    this.belowMaxSinceMs = this.value < maxConcurrent ? (this.belowMaxSinceMs ?? atMs) : null
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

  windowClosed(): void {}
  reset(): void {}
}
