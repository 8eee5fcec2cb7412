import { type Baseline, SlowBaseline, weightAfter } from './baseline.js'
import type { LatencyCeiling } from './latency-ceiling.js'
import type { ResolvedLimitOptions } from './options.js'
import type { Prior } from './prior.js'
import { SampleWindow } from './sample-window.js'

/** How far the baseline can be believed (L17). */
export type BaselineTrust = 'unknown' | 'provisional' | 'trusted'

/** What a monitor is made of, beside its options. */
export interface MonitorParts {
  /** Told of each window; while it is below its maximum the baseline does not learn (L7). */
  ceiling: LatencyCeiling
  prior?: Prior | null
  baseline?: Baseline
}

/** A latency in ms: from 0 to the largest integer. Sums of greater ones would be no numbers any more. */
export const isLatency = (ms: number): boolean => ms >= 0 && ms <= Number.MAX_SAFE_INTEGER

/**
 * Measures how slow a backend is against how slow it usually is (L2–L8). It has no timer: whoever records or reads says
 * what time it is, and a window that is due is closed then, as of its own end. All times are on one monotonic clock.
 */
export class LatencyMonitor {
  readonly #options: ResolvedLimitOptions
  readonly #createdAtMs: number
  readonly #ceiling: LatencyCeiling
  readonly #baseline: Baseline
  readonly #hasPrior: boolean
  readonly #window = new SampleWindow()
  /** The end of the window that is open. */
  #endMs: number
  /** The end of the last one that counted. */
  #countedAtMs: number
  #own = 0
  /** The baseline before a slowness was accepted that the load had no part in, and how many windows it counts for (L21). */
  #former: { baselineMs: number; windows: number } | null = null
  /** p90 of the last window that counted; null: none did. */
  p90Ms: number | null = null
  smoothedMs: number | null = null
  /** Present over ordinary; null: not known (yet). */
  ratio: number | null = null

  constructor(options: ResolvedLimitOptions, createdAtMs: number, { ceiling, prior = null, baseline }: MonitorParts) {
    this.#options = options
    this.#createdAtMs = this.#countedAtMs = createdAtMs
    this.#endMs = createdAtMs + options.windowMs
    this.#ceiling = ceiling
    this.#hasPrior = prior !== null
    this.#baseline = baseline ?? new SlowBaseline(options, prior)
  }

  get baselineMs(): number | null {
    return this.#baseline.valueMs
  }

  /** Windows that counted, a prior's included. */
  get windows(): number {
    return this.#baseline.windows
  }

  get trust(): BaselineTrust {
    if (this.#own > this.#options.warmupWindows) return 'trusted'
    return this.#hasPrior ? 'provisional' : 'unknown'
  }

  /**
   * What another process may begin with (L17); null: nothing that can be relied on. While a slowness is accepted that the
   * load has no part in (L21), the baseline before it: that one may be over by then.
   */
  get kept(): { baselineMs: number; windows: number } | null {
    const { valueMs, windows } = this.#baseline
    const { baselineMs, ...former } = this.#former ?? { baselineMs: valueMs, windows }
    if (baselineMs === null || baselineMs <= 0 || this.trust === 'unknown') return null
    return { baselineMs, windows: Math.min(former.windows, Number.MAX_SAFE_INTEGER) }
  }

  /** The end of the window that is open. */
  get endsAtMs(): number {
    return this.#endMs
  }

  /** When the open window will count: its end; Infinity where it has too few samples so far. */
  get countsAtMs(): number {
    return this.#window.count < this.#options.minSamples ? Number.POSITIVE_INFINITY : this.#endMs
  }

  /**
   * An attempt ended now and took this long. What is no latency ({@link isLatency}) is no sample: the figure may come from
   * a server.
   * @param inFlight attempts in flight, this one included; null: not known
   * @param waitedMs how long it had waited for its slot
   * @param timedOut whether it was given up
   */
  record(latencyMs: number, nowMs: number, inFlight: number | null = null, waitedMs = 0, timedOut = false): void {
    if (nowMs >= this.#endMs) this.settle(nowMs)
    if (isLatency(latencyMs)) this.#window.add(latencyMs, inFlight, waitedMs, timedOut)
  }

  /**
   * Closes the window that is due, if one is (L16: depends on time alone, and twice is once).
   * @param throttled whether throttles left less than the whole limit at any time of it (L9)
   */
  settle(nowMs: number, throttled = false): void {
    if (nowMs < this.#endMs) return
    const { windowMs, minSamples } = this.#options
    if (this.#window.count >= minSamples) this.#close(this.#endMs, throttled)
    this.#window.clear()
    // L3: the grid is fixed. What lies between had no samples.
    const passed = Math.floor((nowMs - this.#createdAtMs) / windowMs)
    this.#endMs = this.#createdAtMs + (passed + 1) * windowMs
    if (this.#endMs <= nowMs) this.#endMs += windowMs // the division rounded down
  }

  /** The present is accepted as the ordinary, at once (L8). Before any window counted there is nothing to accept. */
  resetBaseline(): void {
    this.#ceiling.reset()
    this.#former = null
    if (this.smoothedMs === null) return
    this.#baseline.reset(this.smoothedMs)
    this.ratio = this.#ratio(this.smoothedMs)
  }

  /** L6: p90, then smoothed, then the baseline, then the ratio, then the ceiling. */
  #close(atMs: number, throttled: boolean): void {
    const p90Ms = this.#window.p90()
    const elapsedMs = atMs - this.#countedAtMs
    const { smoothingTimeConstantMs, smoothingSamples, windowMs } = this.#options
    const weight = weightAfter(Math.min(elapsedMs / smoothingTimeConstantMs, this.#window.count / smoothingSamples))
    this.#countedAtMs = atMs
    this.#own++
    this.p90Ms = p90Ms
    const before = this.smoothedMs ?? p90Ms // L4: the first sets it
    this.smoothedMs = before + weight * (p90Ms - before)
    const { belowMaxSinceMs } = this.#ceiling
    this.#baseline.learn({ p90Ms, smoothedMs: this.smoothedMs, elapsedMs, atMs, belowMaxSinceMs })
    // L21: what was slow for a reason of its own is fast again.
    if (this.#former && this.smoothedMs < this.#former.baselineMs * this.#options.recoveryRatio) {
      this.#baseline.reset(this.#former.baselineMs, this.#former.windows)
      this.#former = null
    }
    this.ratio = this.#ratio(this.smoothedMs)
    const { ratio, baselineMs } = this
    const { waitedMs, timedOut } = this.#window
    const inFlight = this.#window.inFlight(windowMs)
    const window = { ratio, baselineMs, p90Ms, timedOut, atMs, weight, inFlight, waitedMs, throttled }
    const acceptedMs = this.#ceiling.windowClosed(window)
    if (acceptedMs === null || baselineMs === null) return
    this.#former ??= { baselineMs, windows: this.windows }
    // Smoothed lags behind what came at once: a baseline of it would be too low, and the limit would fall again.
    this.smoothedMs = acceptedMs
    this.#baseline.reset(acceptedMs, this.#options.warmupWindows + 1) // young again: it may change soon
    this.ratio = this.#ratio(acceptedMs)
  }

  /** L5: none while warming up, and none against nothing. */
  #ratio(smoothedMs: number): number | null {
    const { valueMs, windows } = this.#baseline
    return windows > this.#options.warmupWindows && valueMs !== null && valueMs > 0 ? smoothedMs / valueMs : null
  }
}
