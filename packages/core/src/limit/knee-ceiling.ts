import { FloorProbe } from './floor-probe.js'
import type { LatencyCeiling, LimitWindow } from './latency-ceiling.js'
import type { ResolvedLimitOptions } from './options.js'

/** Above this ratio the backend is no longer asked to bear more, however long callers wait (L19). */
const BEARABLE = 2
/** What the ceiling grows by in each window of an overdraft (L19). */
const OVERDRAFT_GROWTH = 0.15
/** An overdraft is paid back so much slower than it is made (L19). */
const PAYBACK = 1 / 4
/** Shedding ends once so much of the overdraft is left to pay (L20). */
const SHEDDING_ENDS = 0.9
/** Slow enough while limited to doubt that it is the load (L21). */
const STILL_SLOW = 1.5
/** A window with more timeouts than this says what it is slow of: nothing is tried (L21). */
const MOST_TIMED_OUT = 0.1
/** Recovery gains speed each third window, and by at least this share of the maximum (L18). */
const WINDOWS_A_STEP = 3
const STEP = 0.03
/** What a call waits at most while calls are shed, of what an attempt ordinarily takes (L20). */
const PATIENCE = 0.3

/**
 * Finds how much was in flight where the backend begins to slow down, and lets just that be in flight (L18). Where callers
 * wait long for it, lets the backend bear more for a while (L19), and lets callers go who would wait in vain (L20).
 */
export class KneeCeiling implements LatencyCeiling {
  readonly #options: ResolvedLimitOptions
  value: number
  belowMaxSinceMs: number | null = null
  /** Callers have waited for longer than is to be borne for them (L20). */
  #isOverdrawn = false
  readonly #asks: boolean
  readonly #probe: FloorProbe
  /** In flight, smoothed as the latency is. */
  #inFlight: number | null = null
  /** Windows in a row in which the backend was as fast as ever. */
  #wellFor = 0
  /** Time that callers' waits were put above the backend. */
  #overdraftMs = 0

  /** @param asks false: nobody could answer whether it is us (L21) */
  constructor(options: ResolvedLimitOptions, asks = true) {
    this.#options = options
    this.#asks = asks
    this.#probe = new FloorProbe(options.maxConcurrent)
    this.value = options.maxConcurrent
  }

  /** L20: with `shedding` false nobody is let go. */
  get isShedding(): boolean {
    return this.#isOverdrawn && this.#options.shedding
  }

  /** L19: what is not owed yet. */
  get overdraftLeftMs(): number {
    return this.#options.overdraftMs - this.#overdraftMs
  }

  patienceMs(baselineMs: number): number {
    return Math.min(this.#options.queueTimeoutMs, Math.max(1, Math.round(PATIENCE * baselineMs)))
  }

  windowClosed(window: LimitWindow): number | null {
    const { ratio, baselineMs, p90Ms, atMs, weight, inFlight, throttled } = window
    const { maxConcurrent, floor } = this.#options
    const before = this.#inFlight ?? inFlight
    this.#inFlight = before + weight * (inFlight - before)
    if (ratio === null || baselineMs === null) return null
    const isPinned = this.#isPinned(ratio, baselineMs, window)
    const step = this.#probe.windowClosed(p90Ms, throttled, isPinned ? { p90Ms, ceiling: this.value } : null)
    if (step === 'accept') this.reset()
    else if (step === 'none') this.#step(ratio, window.waitedMs, baselineMs)
    else this.value = step === 'open' ? maxConcurrent : floor
    // L7: from a probe the baseline learns nothing either.
    const isWhole = this.value === maxConcurrent && step !== 'open'
    this.belowMaxSinceMs = isWhole ? null : (this.belowMaxSinceMs ?? atMs)
    return step === 'accept' ? this.#probe.openMs : null
  }

  /** L21: limited, and slow all the same. The smoothed latency lags: what is over shows in the window itself first. */
  #isPinned(ratio: number, baselineMs: number, { p90Ms, timedOut }: LimitWindow): boolean {
    const { maxConcurrent, backoffRatio } = this.#options
    const isSlow = ratio > STILL_SLOW && p90Ms > backoffRatio * baselineMs
    return this.#asks && this.value < maxConcurrent && isSlow && timedOut <= MOST_TIMED_OUT
  }

  #step(ratio: number, waitedMs: number, baselineMs: number): void {
    const { maxConcurrent, floor, backoffRatio, recoveryRatio } = this.#options
    // Whom the backend does not keep waiting waits for the caller's own limit.
    const isLimited = this.value < maxConcurrent || ratio > backoffRatio
    const waits = isLimited && waitedMs > baselineMs
    this.#account(waits, waitedMs, baselineMs)
    this.#wellFor = ratio < recoveryRatio ? this.#wellFor + 1 : 0
    if (waits && !this.#isOverdrawn && ratio < BEARABLE) this.#grow(Math.max(1, this.value * OVERDRAFT_GROWTH))
    else if (ratio > backoffRatio) {
      const knee = ((this.#inFlight ?? 0) * (backoffRatio + recoveryRatio)) / 2 / ratio
      this.value = Math.min(this.value, Math.max(floor, Math.floor(knee)))
    } else this.#grow(Math.floor(this.#wellFor / WINDOWS_A_STEP) * Math.max(1, maxConcurrent * STEP))
  }

  /** L19, L20: what callers waited beyond the ordinary is owed to the backend; once it is too much, calls are shed. */
  #account(waits: boolean, waitedMs: number, baselineMs: number): void {
    const { overdraftMs, windowMs } = this.#options
    const pressed = this.#isOverdrawn ? waitedMs > this.patienceMs(baselineMs) / 2 : waits
    const owed = this.#overdraftMs + (pressed ? windowMs : -windowMs * PAYBACK)
    this.#overdraftMs = Math.min(overdraftMs, Math.max(0, owed))
    if (waits && this.#overdraftMs >= overdraftMs) this.#isOverdrawn = true
    else if (this.#overdraftMs < overdraftMs * SHEDDING_ENDS || (overdraftMs === 0 && !pressed))
      this.#isOverdrawn = false
  }

  reset(): void {
    this.value = this.#options.maxConcurrent
    this.belowMaxSinceMs = null
    this.#isOverdrawn = false
    this.#wellFor = this.#overdraftMs = 0
    this.#probe.reset()
  }

  #grow(by: number): void {
    this.value = Math.min(this.#options.maxConcurrent, this.value + Math.floor(by))
  }
}
