import type { LimitAlgorithm, Sample } from '../sampled-limiter.js'

/** Options and defaults of `Gradient2Limit`. */
export interface Gradient2Options {
  readonly initialLimit?: number
  readonly minLimit?: number
  readonly maxLimit?: number
  readonly queueSize?: number
  readonly smoothing?: number
  readonly rttTolerance?: number
  /** Samples over which the long-term latency is averaged. */
  readonly longWindow?: number
}

/** Samples whose plain mean the long-term average begins with. */
const WARM_UP = 10

/**
 * Netflix concurrency-limits' `Gradient2Limit`: the limit follows the ratio of the long-term average of latency to the
 * latency of now, with a tolerance of 1.5 and room for a queue of four.
 */
export class Gradient2 implements LimitAlgorithm {
  readonly maxLimit: number
  readonly #minLimit: number
  readonly #queueSize: number
  readonly #smoothing: number
  readonly #rttTolerance: number
  readonly #factor: number
  #estimated: number
  #long = 0
  #sum = 0
  #count = 0

  constructor(options: Gradient2Options = {}) {
    const { initialLimit = 20, minLimit = 20, maxLimit = 200 } = options
    const { queueSize = 4, smoothing = 0.2, rttTolerance = 1.5, longWindow = 600 } = options
    this.maxLimit = maxLimit
    this.#minLimit = minLimit
    this.#queueSize = queueSize
    this.#smoothing = smoothing
    this.#rttTolerance = rttTolerance
    this.#factor = 2 / (longWindow + 1)
    this.#estimated = initialLimit
  }

  get limit(): number {
    return Math.floor(this.#estimated)
  }

  sample({ rttMs, inFlight, dropped }: Sample): void {
    if (dropped) return
    const long = this.#average(rttMs)
    // After an overload the average is far too long: it shrinks until it says something again.
    if (long / rttMs > 2) this.#long = long * 0.95
    if (inFlight < this.#estimated / 2) return // what is not used says nothing
    const gradient = Math.max(0.5, Math.min(1, (this.#rttTolerance * long) / rttMs))
    const next = this.#estimated * gradient + this.#queueSize
    const smoothed = this.#estimated * (1 - this.#smoothing) + next * this.#smoothing
    this.#estimated = Math.max(this.#minLimit, Math.min(this.maxLimit, smoothed))
  }

  #average(rttMs: number): number {
    if (this.#count < WARM_UP) {
      this.#count++
      this.#sum += rttMs
      this.#long = this.#sum / this.#count
    } else this.#long = this.#long * (1 - this.#factor) + rttMs * this.#factor
    return this.#long
  }
}
