import type { Stream } from '../../random/stream.js'
import type { LimitAlgorithm, Sample } from '../sampled-limiter.js'

/** Options and defaults of Envoy's adaptive concurrency filter with its gradient controller. */
export interface GradientProbesOptions {
  /** How often the limit is calculated. */
  readonly updateMs?: number
  readonly maxLimit?: number
  readonly minLimit?: number
  /** How often the latency without load is measured. */
  readonly probeEveryMs?: number
  readonly probeSamples?: number
  /** Up to this share of the interval later, so that a fleet does not measure at once. */
  readonly jitter?: number
  /** Room above the latency without load. */
  readonly buffer?: number
}

const median = (sorted: readonly number[]): number => sorted[Math.max(0, Math.ceil(sorted.length / 2) - 1)] ?? 0

/**
 * Envoy's gradient controller: every minute it lowers the limit to three for fifty requests and calls their median the
 * latency without load; in between, limit = limit · (that + 25 %) / (present median), and the root of it as headroom.
 */
export class GradientProbes implements LimitAlgorithm {
  readonly maxLimit: number
  readonly #minLimit: number
  readonly #updateMs: number
  readonly #probeEveryMs: number
  readonly #probeSamples: number
  readonly #jitter: number
  readonly #buffer: number
  readonly #random: Stream
  #found: number
  #minRttMs = 0
  #samples: number[] = []
  #probing = true
  #nextMs = Number.NEGATIVE_INFINITY
  #probeAtMs = 0

  constructor(random: Stream, options: GradientProbesOptions = {}) {
    const { updateMs = 100, maxLimit = 1000, minLimit = 3 } = options
    const { probeEveryMs = 60_000, probeSamples = 50, jitter = 0.15, buffer = 0.25 } = options
    this.#random = random
    this.#updateMs = updateMs
    this.maxLimit = maxLimit
    this.#minLimit = minLimit
    this.#probeEveryMs = probeEveryMs
    this.#probeSamples = probeSamples
    this.#jitter = jitter
    this.#buffer = buffer
    this.#found = minLimit
  }

  get limit(): number {
    return this.#probing ? this.#minLimit : Math.floor(this.#found)
  }

  sample({ atMs, rttMs, dropped }: Sample): void {
    if (!dropped) this.#samples.push(rttMs)
    if (this.#probing) {
      if (this.#samples.length < this.#probeSamples) return
      this.#minRttMs = this.#median()
      this.#probing = false
      this.#probeAtMs = atMs + this.#probeEveryMs * (1 + this.#jitter * this.#random.next())
      this.#nextMs = atMs + this.#updateMs
    } else if (atMs >= this.#probeAtMs) {
      this.#probing = true
      this.#samples = []
    } else if (atMs >= this.#nextMs && this.#samples.length > 0) {
      this.#nextMs = atMs + this.#updateMs
      const gradient = Math.max(0.5, Math.min(2, (this.#minRttMs * (1 + this.#buffer)) / this.#median()))
      const next = this.#found * gradient
      this.#found = Math.max(this.#minLimit, Math.min(this.maxLimit, next + Math.sqrt(next)))
    }
  }

  #median(): number {
    const sorted = this.#samples.sort((a, b) => a - b)
    this.#samples = []
    return median(sorted)
  }
}
