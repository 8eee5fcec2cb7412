import type { Clock } from '../clock/clock.js'

/** One timer for many who wait: it goes off at the earliest moment that was asked for, or before. */
export class Alarm {
  readonly #clock: Clock
  readonly #ring: () => void
  #cancel: (() => void) | null = null
  #dueMs = Number.POSITIVE_INFINITY

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock
    this.#ring = ring
  }

  /** An earlier one stays: whoever is woken too early asks again, which is cheaper than a new timer each time. */
  set(dueMs: number, nowMs: number): void {
    if (dueMs >= this.#dueMs) return
    this.#cancel?.()
    this.#dueMs = dueMs
    this.#cancel = this.#clock.timer(Math.max(0, dueMs - nowMs), () => {
      this.#cancel = null
      this.#dueMs = Number.POSITIVE_INFINITY
      this.#ring()
    })
  }

  clear(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#dueMs = Number.POSITIVE_INFINITY
  }
}
