/** Of an ordinary flush once the baseline is there: an average over about twenty. */
const WEIGHT = 1 / 20

/** How long the flushes of one data source ordinarily take: a mean while it is young, then an average that moves slowly (I2). */
export class FlushBaseline {
  readonly #needed: number
  #flushes: number
  #meanMs: number

  /** @param needed flushes without which there is no baseline */
  constructor(needed: number, saved: { flushes: number; meanMs: number } = { flushes: 0, meanMs: 0 }) {
    this.#needed = needed
    this.#flushes = saved.flushes
    this.#meanMs = saved.meanMs
  }

  /** Null: too few flushes so far. */
  get valueMs(): number | null {
    return this.#flushes < this.#needed ? null : this.#meanMs
  }

  /** A flush that was not slow: slow ones must not become the ordinary. */
  learn(tookMs: number): void {
    this.#flushes++
    this.#meanMs += (tookMs - this.#meanMs) * (this.#flushes <= this.#needed ? 1 / this.#flushes : WEIGHT)
  }

  save(): { flushes: number; meanMs: number } {
    return { flushes: this.#flushes, meanMs: this.#meanMs }
  }
}
