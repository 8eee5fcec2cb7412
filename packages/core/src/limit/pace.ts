import { SECOND } from './spread.js'

/**
 * Those who waited as a hold ended beside the n that are spread, r of them, follow at an even pace (L10): the k-th of
 * them, from 1, whoever it is, starts no sooner than ceil(1000 · ((n − 1) / n + k / max(n, r))) ms after the hold. Whoever
 * leaves keeps a moment unused.
 */
export class Pace {
  readonly #fromMs: number
  readonly #spread: number
  readonly #count: number
  #next = 1

  /**
   * @param fromMs the end of the hold
   * @param spread n
   * @param count r
   */
  constructor(fromMs: number, spread: number, count: number) {
    this.#fromMs = fromMs
    this.#spread = spread
    this.#count = count
  }

  /** From when the next may start. */
  get nextAtMs(): number {
    const rate = Math.max(this.#spread, this.#count)
    // In whole numbers: a rounding error would be a millisecond.
    const parts = (this.#spread - 1) * rate + this.#next * this.#spread
    return this.#fromMs + Math.ceil((SECOND * parts) / (this.#spread * rate))
  }

  /** One has started, or left. @returns whether all of them have */
  pass(): boolean {
    return this.#next++ >= this.#count
  }
}
