import { shown } from '../../retry/policy.js'
import { AdaptiveLimit, ceilingOf } from '../adaptive-limit.js'
import type { LatencyCeiling } from '../latency-ceiling.js'
import { isLatency } from '../latency-monitor.js'
import { type LimitOptions, limitOptions, type ResolvedLimitOptions } from '../options.js'
import type { Prior } from '../prior.js'
import type { LimitEventType } from '../snapshot.js'
import { Backoffs } from './backoffs.js'
import type { ReplayResult, ReplayWindow } from './replay-result.js'
import { isSample, type ReplaySample } from './replay-sample.js'
import { Summing } from './summing.js'
import { WindowSeries } from './window-series.js'

/** How a trace is replayed. Everything is optional. */
export interface LimitReplayOptions {
  /** The limiter's. Default: its defaults. */
  limit?: LimitOptions | undefined
  /** What is known beforehand (L17). Default null. */
  prior?: Prior | null | undefined
  /**
   * Whether the limit asks if it is us (L21): the answer is in a trace that was recorded of this very limit. In any other the
   * backend is as slow with the limit opened, whoever slows it down. Default true.
   */
  asks?: boolean | undefined
  /** Where the grid of windows begins, as when the limiter was made (L3). Default null: at the first sample. */
  originMs?: number | null | undefined
  /** Sums up by stretches of this length, on the grid of epoch time, in place of the samples' `period`. Default null. */
  periodMs?: number | null | undefined
  /** Points of the picture at most. Default 2000. */
  mostPoints?: number | undefined
  /** Told of each window with at least one attempt, as it closes. */
  onWindow?: ((window: ReplayWindow) => void) | undefined
}

/** A name for each, and sums: more than these are no periods but the wrong column. */
const MOST_PERIODS = 10_000

/**
 * What the adaptive limit would have made of a recorded trace: an open loop, since the limit changes nothing about what
 * was recorded. Memory does not grow with the trace.
 */
export class LimitReplay {
  readonly options: ResolvedLimitOptions
  readonly #limit: AdaptiveLimit
  readonly #periodMs: number | null
  readonly #onWindow: (window: ReplayWindow) => void
  readonly #backoffs: Backoffs
  /** Null: nothing that latency moves (L14). */
  #ceiling: LatencyCeiling | null = null
  readonly #series: WindowSeries
  readonly #periods = new Map<string | number, Summing>()
  #originMs: number | null
  #whole: Summing
  /** Since the origin, as all times with `now` in them. */
  #nowMs = 0
  #index = 0
  #samples = 0
  #touched = false
  #mostSamples = 0
  #period: string | number | null = null
  /** Whose time it is, until then. */
  #timeOf: Summing | null = null
  #timeEndsMs = Number.POSITIVE_INFINITY
  /** Whose window is open: that of its last attempt. */
  #windowOf: Summing | null = null

  /** @throws TypeError for an option of the limiter that is out of range */
  constructor(options: LimitReplayOptions = {}) {
    const {
      limit,
      prior = null,
      asks = true,
      originMs = null,
      periodMs = null,
      mostPoints = 2000,
      onWindow = () => {},
    } = options
    this.options = limitOptions(limit, 'LimitReplay')
    // Its clock is ours: 0 at the origin.
    const parts = { latencyCeiling: (all: ResolvedLimitOptions) => this.#watched(ceilingOf(all, asks)) }
    this.#limit = new AdaptiveLimit(this.options, { createdAtMs: 0, prior, parts, emit: (type) => this.#tell(type) })
    this.#originMs = originMs
    this.#periodMs = periodMs
    this.#onWindow = onWindow
    this.#backoffs = new Backoffs(this.options.maxConcurrent)
    this.#series = new WindowSeries(mostPoints)
    this.#whole = new Summing(null, originMs ?? 0, this.options.maxConcurrent)
  }

  /**
   * @throws RangeError where it ended before the sample added last, or the origin; where its count is none; or there are
   *   too many periods
   */
  add(sample: ReplaySample): void {
    const { atMs, status, retryAfterMs = null, count = 1 } = sample
    if (!(Number.isSafeInteger(count) && count >= 0))
      throw new RangeError(`LimitReplay: count must be an integer of at least 0; got ${shown(count)}`)
    if (this.#originMs === null) {
      this.#originMs = atMs
      this.#whole = new Summing(null, atMs, this.options.maxConcurrent)
    }
    const nowMs = atMs - this.#originMs
    if (!(nowMs >= this.#nowMs)) throw new RangeError(`LimitReplay: ${atMs} is before ${this.#originMs + this.#nowMs}`)
    this.#enter(sample, nowMs)
    this.#advance(nowMs)
    if (count === 0) return
    this.#touched = true
    this.#windowOf = this.#timeOf
    if (isSample(sample)) this.#record(sample, count)
    else if (status === 429) this.#throttle(count, retryAfterMs)
    else for (const summing of this.#both(this.#windowOf)) summing.failures += count
  }

  /** Ends the window that is open as of its own end, as if nothing had come after the last sample (L16). */
  finish(): ReplayResult {
    if (this.#touched) this.#advance((this.#index + 1) * this.options.windowMs)
    const originMs = this.#originMs ?? 0
    return {
      options: this.options,
      originMs,
      whole: this.#whole.summary(),
      periods: [...this.#periods.values()].map((summing) => summing.summary()),
      backoffs: this.#backoffs.list,
      backoffsInAll: this.#backoffs.inAll,
      asksInAll: this.#backoffs.asksInAll,
      points: this.#series.points(originMs, this.options.windowMs),
      windowsPerPoint: this.#series.windowsPerPoint,
      mostSamples: this.#mostSamples,
      trust: this.#limit.monitor.trust,
    }
  }

  /** Changes the period where the sample is in another one. */
  #enter({ atMs, period = null }: ReplaySample, nowMs: number): void {
    const length = this.#periodMs
    const next = length === null ? period : Math.floor(atMs / length) * length
    if (next === this.#period) return
    const startsMs = typeof next === 'number' ? Math.max(this.#nowMs, nowMs - (atMs - next)) : nowMs
    this.#advance(startsMs)
    this.#period = next
    this.#timeOf = next === null ? null : this.#summing(next, atMs - (nowMs - startsMs))
    // A stretch of time without a sample is no period's.
    this.#timeEndsMs = length === null ? Number.POSITIVE_INFINITY : nowMs - (atMs - Number(next)) + length
  }

  #summing(key: string | number, fromMs: number): Summing {
    const known = this.#periods.get(key)
    if (known !== undefined) return known
    if (this.#periods.size === MOST_PERIODS) throw new RangeError(`LimitReplay: more than ${MOST_PERIODS} periods`)
    const name = typeof key === 'number' ? new Date(key).toISOString() : key
    const made = new Summing(name, fromMs, this.options.maxConcurrent)
    this.#periods.set(key, made)
    return made
  }

  /** Lets time pass, and stops wherever the limit may change, so that its mean is exact. */
  #advance(toMs: number): void {
    const { windowMs } = this.options
    while (this.#nowMs < toMs) {
      const isOwned = this.#nowMs < this.#timeEndsMs
      // Windows without an attempt are dropped, and change nothing (L3): they are passed in one step.
      const endMs = this.#touched ? (this.#index + 1) * windowMs : toMs
      const next = Math.min(toMs, endMs, this.#limit.mayRiseAtMs, isOwned ? this.#timeEndsMs : toMs)
      const { limit } = this.#limit
      const spentMs = next - this.#nowMs
      const wallMs = (this.#originMs ?? 0) + next
      for (const summing of this.#both(isOwned ? this.#timeOf : null)) summing.spend(spentMs, limit, wallMs)
      this.#nowMs = next
      this.#limit.settle(next)
      this.#see(wallMs)
      if (this.#touched && next >= endMs) this.#close(wallMs)
      if (!this.#touched) this.#index = indexOf(next, windowMs)
    }
  }

  #close(endMs: number): void {
    const { p90Ms, baselineMs, ratio } = this.#limit.monitor
    const counted = this.#samples >= this.options.minSamples
    const window = {
      ...{ index: this.#index, endMs, samples: this.#samples, counted, p90Ms: counted ? p90Ms : null },
      ...{ baselineMs, ratio, limit: this.#limit.limit, shedding: this.#limit.isShedding },
    }
    for (const summing of this.#both(this.#windowOf)) summing.closed(window)
    this.#series.add(window)
    this.#mostSamples = Math.max(this.#mostSamples, this.#samples)
    this.#samples = 0
    this.#touched = false
    this.#onWindow(window)
  }

  #record({ latencyMs, inFlight = null, waitedMs, timeout }: ReplaySample, count: number): void {
    if (!isLatency(latencyMs)) return // L2: no latency, no sample
    const { monitor } = this.#limit
    for (let i = 0; i < count; i++) monitor.record(latencyMs, this.#nowMs, inFlight, waitedMs, timeout)
    this.#samples += count
    for (const summing of this.#both(this.#windowOf)) {
      summing.samples += count
      if (waitedMs !== undefined) summing.knowsWaits = true
    }
  }

  /** L9: of several in one moment only the first can halve. */
  #throttle(count: number, retryAfterMs: number | null): void {
    this.#limit.report({ kind: 'throttle', retryAfterMs }, this.#nowMs)
    this.#see((this.#originMs ?? 0) + this.#nowMs)
    for (const summing of this.#both(this.#windowOf)) summing.throttles += count
  }

  #tell(type: LimitEventType): void {
    if (type !== 'latency_backoff' && type !== 'throttle_backoff') return
    const by = type === 'latency_backoff' ? 'latency' : 'throttle'
    this.#backoffs.fell(by)
    for (const summing of this.#both(this.#windowOf)) summing[`${by}Falls`]++
  }

  /** L21: the ceiling itself, which is heard when it accepts the present. */
  #watched(ceiling: LatencyCeiling): LatencyCeiling {
    const windowClosed = ceiling.windowClosed.bind(ceiling)
    ceiling.windowClosed = (window) => {
      const acceptedMs = windowClosed(window)
      if (acceptedMs === null) return null
      this.#backoffs.accepted()
      for (const summing of this.#both(this.#windowOf)) summing.acceptances++
      return acceptedMs
    }
    this.#ceiling = ceiling
    return ceiling
  }

  /** A ceiling that is whole and yet counts as below its maximum (L8) is open only to ask (L21). */
  #see(atMs: number): void {
    const { value, belowMaxSinceMs } = this.#ceiling ?? { value: 0, belowMaxSinceMs: null }
    const isAsking = value === this.options.maxConcurrent && belowMaxSinceMs !== null
    this.#backoffs.see(this.#limit.limit, isAsking, atMs)
  }

  #both(period: Summing | null): readonly Summing[] {
    return period === null ? [this.#whole] : [this.#whole, period]
  }
}

/** The window that a moment is in; the division may round down. */
function indexOf(nowMs: number, windowMs: number): number {
  const index = Math.floor(nowMs / windowMs)
  return (index + 1) * windowMs <= nowMs ? index + 1 : index
}
