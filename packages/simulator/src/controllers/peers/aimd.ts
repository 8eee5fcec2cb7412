import type { LimitAlgorithm, Sample } from '../sampled-limiter.js'

/** Options and defaults of `AIMDLimit`. */
export interface AimdOptions {
  readonly initialLimit?: number
  readonly minLimit?: number
  readonly maxLimit?: number
  readonly backoffRatio?: number
  readonly timeoutMs?: number
}

/**
 * Additive increase, multiplicative decrease, as Netflix concurrency-limits' `AIMDLimit` describes it: a drop or an answer
 * later than the timeout takes a tenth away, an answer while at least half of the limit is in use adds one.
 */
export class Aimd implements LimitAlgorithm {
  limit: number
  readonly maxLimit: number
  readonly #minLimit: number
  readonly #backoffRatio: number
  readonly #timeoutMs: number

  constructor({
    initialLimit = 20,
    minLimit = 20,
    maxLimit = 200,
    backoffRatio = 0.9,
    timeoutMs = 5000,
  }: AimdOptions = {}) {
    this.limit = initialLimit
    this.maxLimit = maxLimit
    this.#minLimit = minLimit
    this.#backoffRatio = backoffRatio
    this.#timeoutMs = timeoutMs
  }

  sample({ rttMs, inFlight, dropped }: Sample): void {
    if (dropped || rttMs > this.#timeoutMs) this.limit = Math.floor(this.limit * this.#backoffRatio)
    else if (inFlight * 2 >= this.limit) this.limit += 1
    this.limit = Math.min(this.maxLimit, Math.max(this.#minLimit, this.limit))
  }
}
