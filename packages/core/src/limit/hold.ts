/** "Not before": nothing behind this key starts (L10). Knows too how long it has been on in all, since held time is not queue time. */
export class Hold {
  readonly #maxMs: number
  #sinceMs = 0
  #untilMs = Number.NEGATIVE_INFINITY
  /** Of holds that are over. */
  #heldMs = 0

  constructor(maxMs: number) {
    this.#maxMs = maxMs
  }

  /** When it ends, or ended; −Infinity: there was none. */
  get untilMs(): number {
    return this.#untilMs
  }

  isOn(nowMs: number): boolean {
    return nowMs < this.#untilMs
  }

  /**
   * A server stated a wait.
   * @returns whether the hold now ends later: a shorter wait changes nothing, and neither does one of 0
   */
  set(waitMs: number, nowMs: number): boolean {
    const untilMs = nowMs + Math.min(waitMs, this.#maxMs)
    if (!(untilMs > nowMs && untilMs > this.#untilMs)) return false // NaN neither
    if (!this.isOn(nowMs)) {
      this.#heldMs = this.heldMs(nowMs)
      this.#sinceMs = nowMs
    }
    this.#untilMs = untilMs
    return true
  }

  /** Time under a hold so far, in ms. */
  heldMs(nowMs: number): number {
    return this.#heldMs + Math.max(0, Math.min(nowMs, this.#untilMs) - this.#sinceMs)
  }
}
