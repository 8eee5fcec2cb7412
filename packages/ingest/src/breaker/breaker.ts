import { FlushBaseline } from './flush-baseline.js'
import type { BreakerSettings } from './options.js'

/** Which of its own signals opened a breaker. */
export type BreakerReason = 'slow_flushes' | 'old_events' | 'many_parts'

/** What is known of a node before it is given a probe. Times are milliseconds. */
export interface NodeHealth {
  /** How long its last ping took; null: it did not answer. */
  readonly pingMs: number | null
  /** How long its pings ordinarily take; null: nothing is known yet, and any answer will do. */
  readonly pingBaselineMs: number | null
  /** How long ago it last was out of resources; null: never. */
  readonly resourceErrorAgoMs: number | null
}

/** A breaker as it is written down. Times are relative, since a clock of another process begins elsewhere. */
export interface SavedBreaker {
  readonly flushes: number
  readonly meanMs: number
  /** What was left of the hold; null: it was closed. */
  readonly openForMs: number | null
  readonly reason: BreakerReason | null
  readonly measure: number
  readonly holds: number
  readonly unanswered: readonly BreakerReason[]
  readonly heldForMs: number
  readonly ageAllowanceMs: number
}

/** The breaker of one data source (I2): what opens it is its own, and it closes by one probe. */
export class Breaker {
  readonly #settings: BreakerSettings
  readonly #baseline: FlushBaseline
  state: 'closed' | 'open' | 'half_open' = 'closed'
  /** The signal that opened it last, until it has been well again; null: none. */
  reason: BreakerReason | null = null
  /** When the hold ends; meant only while it is open. */
  untilMs = 0
  /** Holds for this reason in a row in which nothing got better. */
  holds = 0
  /** Signals that did not answer to delaying: they open it no more until they have been well once. */
  unanswered: readonly BreakerReason[] = []
  #slowInARow = 0
  /** What the signal said when it opened. */
  #measure = 0
  #probeAtMs = 0
  /** Since when writes have been held back, through all holds. */
  #heldSinceMs = 0
  /** What the holds themselves have added to the age of the oldest event. */
  #ageAllowanceMs = 0

  constructor(settings: BreakerSettings, nowMs: number, saved?: SavedBreaker) {
    this.#settings = settings
    this.#baseline = new FlushBaseline(settings.baselineFlushes, saved)
    if (!saved) return
    const { openForMs, reason, measure, holds, unanswered, heldForMs, ageAllowanceMs } = saved
    Object.assign(this, { reason, holds, unanswered })
    this.#measure = measure
    this.#heldSinceMs = nowMs - heldForMs
    this.#ageAllowanceMs = ageAllowanceMs
    if (openForMs === null) return
    this.state = 'open'
    this.untilMs = nowMs + openForMs
  }

  get baselineMs(): number | null {
    return this.#baseline.valueMs
  }

  /** @param draw of [0, 1): how long a hold that begins now takes */
  flushed(tookMs: number, intervalMs: number, nowMs: number, draw: () => number): void {
    if (this.state === 'open') return // it began before the hold, and says nothing of what the hold did
    const { slowRatio, slowFlushes } = this.#settings
    const baselineMs = this.#baseline.valueMs
    if (baselineMs === null || tookMs <= Math.max(slowRatio * baselineMs, intervalMs)) {
      this.#slowInARow = 0
      this.#baseline.learn(tookMs)
      this.#well('slow_flushes')
      if (this.state === 'half_open') this.#close(nowMs)
    } else if (this.state === 'half_open') this.#trip('slow_flushes', tookMs, nowMs, draw)
    else if (++this.#slowInARow >= slowFlushes) this.#trip('slow_flushes', tookMs, nowMs, draw)
  }

  /** A flush that the node refused, or of which nobody knows. Of a probe it means another hold; no signal answered, so it is none in vain. */
  failed(nowMs: number, draw: () => number): void {
    if (this.state === 'half_open') this.#hold(nowMs, draw)
  }

  aged(oldestMs: number, intervalMs: number, nowMs: number, draw: () => number): void {
    const boundMs = this.#settings.oldIntervals * intervalMs
    if (oldestMs <= boundMs) {
      this.#ageAllowanceMs = 0
      this.#well('old_events')
    } else if (this.state !== 'closed') this.#ageAllowanceMs = oldestMs
    else if (oldestMs > boundMs + this.#ageAllowanceMs) this.#trip('old_events', oldestMs, nowMs, draw)
  }

  parts(active: number, delayAt: number, nowMs: number, draw: () => number): void {
    if (active <= this.#settings.partsShare * delayAt) this.#well('many_parts')
    else if (this.state === 'closed') this.#trip('many_parts', active, nowMs, draw)
  }

  /** Whether a flush may begin now; of an open one whose hold is over, this is its one probe. */
  mayFlush(node: NodeHealth, nowMs: number, draw: () => number): boolean {
    if (this.state === 'closed') return true
    if (this.state === 'half_open') {
      if (nowMs - this.#probeAtMs > this.#settings.probeTimeoutMs) this.#hold(nowMs, draw)
      return false
    }
    if (nowMs < this.untilMs || !this.#isFit(node)) return false
    this.state = 'half_open'
    this.#probeAtMs = nowMs
    return true
  }

  save(nowMs: number): SavedBreaker {
    const { reason, holds, unanswered } = this
    // Of a probe under way the outcome will not be known: another is due at once.
    const openForMs = this.state === 'closed' ? null : this.state === 'open' ? Math.max(0, this.untilMs - nowMs) : 0
    const heldForMs = this.state === 'closed' ? 0 : nowMs - this.#heldSinceMs
    const { flushes, meanMs } = this.#baseline.save()
    const [measure, ageAllowanceMs] = [this.#measure, this.#ageAllowanceMs]
    // Member by member: there may be thousands, and to spread an object takes ten times as long.
    return { flushes, meanMs, openForMs, reason, measure, holds, unanswered, heldForMs, ageAllowanceMs }
  }

  #isFit({ pingMs, pingBaselineMs, resourceErrorAgoMs }: NodeHealth): boolean {
    const { pingRatio, resourceErrorMs } = this.#settings
    if (pingMs === null || (resourceErrorAgoMs !== null && resourceErrorAgoMs < resourceErrorMs)) return false
    return pingBaselineMs === null || pingMs < pingRatio * pingBaselineMs
  }

  #trip(reason: BreakerReason, measure: number, nowMs: number, draw: () => number): void {
    const { maxHolds, betterRatio } = this.#settings
    if (this.unanswered.includes(reason)) {
      this.#close(nowMs)
      return
    }
    const inVain = reason === this.reason && measure >= betterRatio * this.#measure
    this.#measure = measure
    this.reason = reason
    if (inVain && this.holds >= maxHolds) {
      // Delaying for ever would help nobody: its owner is told, and its events are written as well as they can be.
      this.unanswered = [...this.unanswered, reason]
      this.#close(nowMs)
    } else {
      this.holds = inVain ? this.holds + 1 : 1
      this.#hold(nowMs, draw)
    }
  }

  #hold(nowMs: number, draw: () => number): void {
    const { holdMs, holdJitter } = this.#settings
    if (this.state === 'closed') this.#heldSinceMs = nowMs
    this.state = 'open'
    this.untilMs = nowMs + Math.round(holdMs * (1 - holdJitter + 2 * holdJitter * draw()))
  }

  #close(nowMs: number): void {
    this.#slowInARow = 0
    if (this.state === 'closed') return
    this.state = 'closed'
    // Events that were held back are old for that alone: what counts from here is whether they grow older still.
    this.#ageAllowanceMs = Math.max(this.#ageAllowanceMs, nowMs - this.#heldSinceMs)
  }

  #well(reason: BreakerReason): void {
    if (this.unanswered.includes(reason)) this.unanswered = this.unanswered.filter((other) => other !== reason)
    if (this.reason !== reason) return
    this.holds = 0
    // While it is open that is still why, though what the hold did has helped.
    if (this.state !== 'open') this.reason = null
  }
}
