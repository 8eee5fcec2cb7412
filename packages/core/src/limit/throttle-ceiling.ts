/** What throttles leave of the limit: halved by one, back by one a second (L9). */
export class ThrottleCeiling {
  readonly #max: number
  value: number
  /** The cool-down's end: a throttle before it does not halve. */
  #coolUntilMs = Number.NEGATIVE_INFINITY
  /** Since when it has been at its maximum; Infinity: it is below it. */
  wholeSinceMs: number = Number.NEGATIVE_INFINITY
  /** When the next +1 comes, while below the maximum. */
  #nextMs = Number.POSITIVE_INFINITY

  constructor(max: number) {
    this.#max = this.value = max
  }

  /** When it rises next; Infinity: it is at its maximum. */
  get risesAtMs(): number {
    return this.#nextMs
  }

  /** Takes what came back by now. */
  settle(nowMs: number): void {
    if (nowMs < this.#nextMs) return
    const steps = Math.floor((nowMs - this.#nextMs) / STEP_MS) + 1
    const missing = this.#max - this.value
    if (steps >= missing) this.wholeSinceMs = this.#nextMs + (missing - 1) * STEP_MS
    this.value = Math.min(this.#max, this.value + steps)
    this.#nextMs = this.value < this.#max ? this.#nextMs + steps * STEP_MS : Number.POSITIVE_INFINITY
  }

  /**
   * The server refused. Settle it first, and set the hold.
   * @param limit the limit in force
   * @param holdUntilMs the end of the hold, past or to come: nothing comes back before it
   * @returns whether the ceiling fell: 1 is not halved
   */
  throttled(limit: number, nowMs: number, holdUntilMs: number): boolean {
    const before = this.value
    if (nowMs >= this.#coolUntilMs) {
      this.value = Math.max(1, Math.floor(limit / 2))
      this.#coolUntilMs = nowMs + COOL_DOWN_MS
    }
    if (this.value < this.#max) {
      this.#nextMs = Math.max(this.#coolUntilMs, holdUntilMs) + STEP_MS
      this.wholeSinceMs = Number.POSITIVE_INFINITY
    }
    return this.value < before
  }
}

const COOL_DOWN_MS = 1000
const STEP_MS = 1000
