import type { Stream } from '../random/stream.js'

/** A rate limiter that answers 429 and says when to come back. */
export interface ThrottleOptions {
  /** Attempts a second that it lets in. */
  readonly ratePerSecond: number
  /** Attempts at once that it lets in after a pause. */
  readonly burst: number
  /** What it states, in whole seconds, evenly drawn between the two; null: nothing. */
  readonly retryAfterS: readonly [number, number] | null
}

/** A token bucket. */
export class Throttle {
  readonly #options: ThrottleOptions
  readonly #stated: Stream
  #tokens: number
  #atMs = 0

  constructor(options: ThrottleOptions, stated: Stream) {
    this.#options = options
    this.#stated = stated
    this.#tokens = options.burst
  }

  /** @returns null: let in; else what it says of when to come back */
  refuses(nowMs: number): { retryAfterMs: number | null } | null {
    const { ratePerSecond, burst, retryAfterS } = this.#options
    this.#tokens = Math.min(burst, this.#tokens + ((nowMs - this.#atMs) * ratePerSecond) / 1000)
    this.#atMs = nowMs
    if (this.#tokens >= 1) {
      this.#tokens -= 1
      return null
    }
    if (retryAfterS === null) return { retryAfterMs: null }
    const [least, most] = retryAfterS
    return { retryAfterMs: (least + Math.floor(this.#stated.next() * (most - least + 1))) * 1000 }
  }
}
