import type { Baseline } from './baseline.js'
import { Hold } from './hold.js'
import { KneeCeiling } from './knee-ceiling.js'
import { FixedCeiling, type LatencyCeiling, SteppedCeiling } from './latency-ceiling.js'
import { LatencyMonitor } from './latency-monitor.js'
import type { ResolvedLimitOptions } from './options.js'
import type { Prior } from './prior.js'
import type { AttemptReport } from './report.js'
import type { LimitEventType, LimitSnapshot } from './snapshot.js'
import { ThrottleCeiling } from './throttle-ceiling.js'

/** Parts that can be exchanged; each default is the one that the rules describe. */
export interface LimitParts {
  latencyCeiling?: (options: ResolvedLimitOptions) => LatencyCeiling
  baseline?: (options: ResolvedLimitOptions, prior: Prior | null) => Baseline
}

/** Where a limit begins. */
export interface LimitStart {
  /** On the monotonic clock that every later time is of. */
  createdAtMs: number
  prior?: Prior | null
  parts?: LimitParts
  /** Told of what changes, when it changes. */
  emit?: (type: LimitEventType) => void
}

/**
 * The ceiling of the controller that is asked for.
 * @param asks false: not whether it is us (L21); in shadow mode there is nothing to be opened
 */
export const ceilingOf = (options: ResolvedLimitOptions, asks = true): LatencyCeiling =>
  options.controller === 'windowed' ? new SteppedCeiling(options) : new KneeCeiling(options, asks && !options.shadow)

/**
 * The limit itself, without anybody who waits: two ceilings, a monitor and a hold (L1). Pure but for its own state; every
 * method is told the time, and takes first what is due by then, so that it does not matter how often it is asked.
 */
export class AdaptiveLimit {
  readonly options: ResolvedLimitOptions
  readonly hold: Hold
  readonly monitor: LatencyMonitor
  readonly #latency: LatencyCeiling
  readonly #throttle: ThrottleCeiling
  readonly #emit: (type: LimitEventType) => void

  constructor(options: ResolvedLimitOptions, { createdAtMs, prior = null, parts = {}, emit = () => {} }: LimitStart) {
    const { latencyCeiling = (all) => ceilingOf(all), baseline } = parts
    this.options = options
    this.hold = new Hold(options.maxHoldMs)
    this.#latency = options.latencyControl ? latencyCeiling(options) : new FixedCeiling(options) // L14
    this.#throttle = new ThrottleCeiling(options.maxConcurrent)
    this.#emit = emit
    const own = baseline ? { baseline: baseline(options, prior) } : {}
    this.monitor = new LatencyMonitor(options, createdAtMs, { ceiling: this.#latency, prior, ...own })
  }

  /** L1: the lowest ceiling. */
  get limit(): number {
    return Math.max(1, Math.min(this.#throttle.value, this.#latency.value))
  }

  /** What is enforced: in shadow mode the ceilings are not (L14). */
  get enforced(): number {
    return this.options.shadow ? this.options.maxConcurrent : this.limit
  }

  /** How long a caller waits for a slot at most (L13), less while calls are shed (L20). */
  get patienceMs(): number {
    const { queueTimeoutMs } = this.options
    const { baselineMs } = this.monitor
    if (!this.isShedding || baselineMs === null) return queueTimeoutMs
    return this.#latency.patienceMs?.(baselineMs) ?? queueTimeoutMs
  }

  /** Whether calls are shed (L20): in shadow mode, and without a baseline, nobody is. */
  get isShedding(): boolean {
    return (this.#latency.isShedding ?? false) && this.monitor.baselineMs !== null && !this.options.shadow
  }

  /** When callers may lose their patience, as things stand; Infinity: nothing is due that could shorten it. */
  get mayShedAtMs(): number {
    return this.#latency.patienceMs ? this.monitor.countsAtMs : Number.POSITIVE_INFINITY
  }

  /** When the limit may rise next, as things stand; Infinity: nothing is due that could raise it. */
  get mayRiseAtMs(): number {
    const { value } = this.#latency
    const byLatency = value < this.options.maxConcurrent ? this.monitor.countsAtMs : Number.POSITIVE_INFINITY
    return Math.min(this.#throttle.risesAtMs, byLatency)
  }

  /** Takes what is due by now: a window that closes, seconds of recovery. */
  settle(nowMs: number): void {
    const { endsAtMs } = this.monitor
    if (nowMs < endsAtMs && nowMs < this.#throttle.risesAtMs) return
    const { maxConcurrent, windowMs } = this.options
    const throttle = this.#throttle.value
    this.#throttle.settle(nowMs)
    if (throttle < maxConcurrent && this.#throttle.value === maxConcurrent) this.#emit('throttle_recovery')
    const latency = this.#latency.value
    this.monitor.settle(nowMs, this.#throttle.wholeSinceMs > endsAtMs - windowMs)
    this.#tellLatency(latency)
  }

  /**
   * An attempt ended (L2, L9).
   * @param inFlight attempts in flight, this one included; null: not known
   * @param waitedMs how long it had waited for its slot
   * @returns whether a hold began, or was made longer
   */
  report(report: AttemptReport, nowMs: number, inFlight: number | null = null, waitedMs = 0): boolean {
    this.settle(nowMs)
    if (report.kind === 'success' || report.kind === 'timeout')
      this.monitor.record(report.latencyMs, nowMs, inFlight, waitedMs, report.kind === 'timeout')
    if (report.kind !== 'throttle') return false
    const { limit } = this
    const held = this.hold.set(report.retryAfterMs ?? 0, nowMs)
    if (this.#throttle.throttled(limit, nowMs, this.hold.untilMs)) this.#emit('throttle_backoff')
    if (held) this.#emit('hold')
    return held
  }

  /** The operator accepts the present as the ordinary (L8). */
  resetBaseline(nowMs: number): void {
    this.settle(nowMs)
    const { value } = this.#latency
    this.monitor.resetBaseline()
    this.#tellLatency(value)
  }

  /**
   * L15, but for what the caller knows, and may add to it: who is in flight, and who waits. An engine takes thirty times as
   * long for literals with a spread in them, or for a copy with more fields.
   */
  snapshot(nowMs: number): Omit<LimitSnapshot, 'inFlight' | 'queued'> {
    const { p90Ms, smoothedMs, baselineMs, ratio, trust } = this.monitor
    return {
      limit: this.limit,
      throttleCeiling: this.#throttle.value,
      latencyCeiling: this.#latency.value,
      p90Ms,
      smoothedMs,
      baselineMs,
      ratio,
      baselineTrust: trust,
      shedding: this.isShedding,
      overdraftLeftMs: this.#latency.overdraftLeftMs ?? null,
      holdUntil: this.hold.isOn(nowMs) ? this.hold.untilMs : null,
    }
  }

  #tellLatency(before: number): void {
    const { value } = this.#latency
    if (value < before) this.#emit('latency_backoff')
    else if (value > before && value === this.options.maxConcurrent) this.#emit('latency_recovery')
  }
}
