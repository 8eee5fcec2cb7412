import type { Clock } from '@sluice/core'

/** A clock that stands still while something is done, so that all of it happens at one moment that is known. */
export class StillClock implements Clock {
  readonly #clock: Clock
  #stillMs: number | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): number {
    return this.#stillMs ?? this.#clock.now()
  }

  wallNow(): number {
    return this.#clock.wallNow()
  }

  timer(ms: number, fire: () => void): () => void {
    return this.#clock.timer(ms, fire)
  }

  /** Does it at that moment: now, or a little before. */
  at<T>(nowMs: number, act: () => T): T {
    this.#stillMs = nowMs
    try {
      return act()
    } finally {
      this.#stillMs = null
    }
  }
}
