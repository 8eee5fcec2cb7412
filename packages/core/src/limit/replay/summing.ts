import type { ReplaySummary, ReplayWindow } from './replay-result.js'

/** Sums up a stretch of time while it passes. Times are of the trace's clock. */
export class Summing {
  readonly #period: string | null
  readonly #fromMs: number
  readonly #max: number
  #toMs: number
  #spentMs = 0
  #limitMs = 0
  #lowest: number
  #windows = 0
  #counted = 0
  #throttled = 0
  #shedding = 0
  #p90Sum = 0
  #p90Most: number | null = null
  #baselineMs: number | null = null
  samples = 0
  throttles = 0
  failures = 0
  latencyFalls = 0
  throttleFalls = 0
  acceptances = 0
  /** Whether a sample said how long it had waited for its slot. */
  knowsWaits = false

  constructor(period: string | null, fromMs: number, max: number) {
    this.#period = period
    this.#fromMs = this.#toMs = fromMs
    this.#max = this.#lowest = max
  }

  /** Time passed under a limit. */
  spend(ms: number, limit: number, toMs: number): void {
    this.#spentMs += ms
    this.#limitMs += ms * limit
    this.#lowest = Math.min(this.#lowest, limit)
    this.#toMs = toMs
  }

  closed({ counted, p90Ms, baselineMs, limit, shedding }: ReplayWindow): void {
    this.#windows++
    if (shedding) this.#shedding++
    if (limit < this.#max) this.#throttled++
    this.#lowest = Math.min(this.#lowest, limit)
    this.#baselineMs = baselineMs
    if (!counted || p90Ms === null) return
    this.#counted++
    this.#p90Sum += p90Ms
    this.#p90Most = Math.max(this.#p90Most ?? 0, p90Ms)
  }

  summary(): ReplaySummary {
    const { samples, throttles, failures, latencyFalls, throttleFalls, acceptances } = this
    return {
      ...{ period: this.#period, fromMs: this.#fromMs, toMs: this.#toMs, samples, throttles, failures },
      ...{ windows: this.#windows, countedWindows: this.#counted, throttledWindows: this.#throttled },
      throttledShare: this.#share(this.#throttled),
      sheddingWindows: this.knowsWaits ? this.#shedding : null,
      sheddingShare: this.knowsWaits ? this.#share(this.#shedding) : null,
      meanLimit: this.#spentMs === 0 ? this.#max : this.#limitMs / this.#spentMs,
      lowestLimit: this.#lowest,
      p90Ms: this.#counted === 0 ? null : this.#p90Sum / this.#counted,
      ...{ highestP90Ms: this.#p90Most, baselineMs: this.#baselineMs },
      ...{ latencyFalls, throttleFalls, acceptances },
    }
  }

  #share(windows: number): number {
    return this.#windows === 0 ? 0 : windows / this.#windows
  }
}
