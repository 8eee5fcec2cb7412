import type { Stream } from '../../random/stream.js'
import type { LimitAlgorithm, Sample } from '../sampled-limiter.js'

/** Options and defaults of `VegasLimit`. */
export interface VegasOptions {
  readonly initialLimit?: number
  readonly maxLimit?: number
  /** How many limits' worth of samples pass between two measurements of the latency without load. */
  readonly probeMultiplier?: number
}

const step = (limit: number): number => Math.max(1, Math.floor(Math.log10(limit)))

/**
 * Netflix concurrency-limits' `VegasLimit`, after TCP Vegas (Brakmo and Peterson, 1995): it reckons from the shortest
 * latency seen how many calls must be queueing in the server, and keeps that between 3 and 6 times the limit's logarithm.
 */
export class Vegas implements LimitAlgorithm {
  limit: number
  readonly maxLimit: number
  readonly #probeMultiplier: number
  readonly #random: Stream
  #shortestMs = 0
  #probeCount = 0
  #probeJitter: number

  constructor(random: Stream, { initialLimit = 20, maxLimit = 1000, probeMultiplier = 30 }: VegasOptions = {}) {
    this.limit = initialLimit
    this.maxLimit = maxLimit
    this.#probeMultiplier = probeMultiplier
    this.#random = random
    this.#probeJitter = this.#draw()
  }

  sample({ rttMs, inFlight, dropped }: Sample): void {
    this.#probeCount++
    if (this.#probeCount >= this.#probeJitter * this.#probeMultiplier * this.limit) {
      this.#probeJitter = this.#draw()
      this.#probeCount = 0
      this.#shortestMs = rttMs
      return
    }
    if (this.#shortestMs === 0 || rttMs < this.#shortestMs) {
      this.#shortestMs = rttMs
      return
    }
    if (dropped) this.#set(this.limit - step(this.limit))
    else if (inFlight * 2 >= this.limit) this.#follow(Math.ceil(this.limit * (1 - this.#shortestMs / rttMs)))
  }

  #follow(queued: number): void {
    const alpha = 3 * step(this.limit)
    const beta = 6 * step(this.limit)
    if (queued <= step(this.limit)) this.#set(this.limit + beta)
    else if (queued < alpha) this.#set(this.limit + step(this.limit))
    else if (queued > beta) this.#set(this.limit - step(this.limit))
  }

  #set(limit: number): void {
    this.limit = Math.max(1, Math.min(this.maxLimit, limit))
  }

  #draw(): number {
    return 0.5 + this.#random.next() / 2
  }
}
