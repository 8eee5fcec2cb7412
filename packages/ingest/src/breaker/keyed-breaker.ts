import { type Clock, systemClock } from '@sluice/core'
import { checked, complete } from '../settings.js'
import { Breaker, type BreakerReason, type NodeHealth, type SavedBreaker } from './breaker.js'
import { BREAKER_FIELDS, type BreakerSettings, type KeyedBreakerOptions } from './options.js'

/** What is to be seen of one data source's breaker. */
export interface BreakerReading {
  readonly state: 'closed' | 'open' | 'half_open'
  /** The signal that opened it and has not been well since; null: none. */
  readonly reason: BreakerReason | null
  /** When it may be probed, on the clock that was handed in; null: it is not open. */
  readonly untilMs: number | null
  /** Holds for this reason in a row in which nothing got better. */
  readonly holds: number
  /** Signals for which it delays no longer, since delaying did not help. Tell the owner. */
  readonly unanswered: readonly BreakerReason[]
  /** How long its flushes ordinarily take; null: too few so far. */
  readonly baselineMs: number | null
}

/** A node of which nothing bad is known. */
const FIT: NodeHealth = { pingMs: 0, pingBaselineMs: null, resourceErrorAgoMs: null }

/**
 * A circuit breaker per data source (I2), which opens on that source's own signals and never on a global one, so that
 * the others notice nothing (I8). While it is open events are still accepted, and their writes delayed.
 */
export class KeyedBreaker {
  readonly #settings: BreakerSettings
  readonly #intervalMs: (key: string) => number
  readonly #clock: Pick<Clock, 'now'>
  readonly #draw: () => number
  /** Closed and without anything to remember but a baseline; in the order of their last use. */
  readonly #quiet = new Map<string, Breaker>()
  /** All others, in the order in which they opened. */
  readonly #tripped = new Map<string, Breaker>()

  /** @throws TypeError that names the option, its value and what is allowed */
  constructor(options: KeyedBreakerOptions = {}) {
    const { flushIntervalMs = 1000, random = Math.random, clock = systemClock, ...rest } = options
    this.#settings = complete('KeyedBreaker', BREAKER_FIELDS, rest, ['flushIntervalMs', 'random', 'clock'])
    const interval = (value: number): number => checked('KeyedBreaker', 'flushIntervalMs', value, 'a number above 0')
    if (typeof flushIntervalMs === 'function') this.#intervalMs = (key) => interval(flushIntervalMs(key))
    else {
      const ms = interval(flushIntervalMs)
      this.#intervalMs = () => ms
    }
    this.#draw = random
    this.#clock = clock
  }

  /** Keys of which something is known. */
  get size(): number {
    return this.#quiet.size + this.#tripped.size
  }

  /** A flush was written, or timed out after so long. Of one whose outcome was an error see {@link failed}. */
  flushed(key: string, tookMs: number): void {
    checked('KeyedBreaker.flushed', 'tookMs', tookMs, 'a number of at least 0')
    this.#act(key, (breaker, now) => breaker.flushed(tookMs, this.#intervalMs(key), now, this.#draw))
  }

  /** A flush ended in an error. That is the node's matter (I6), unless it was the probe: then the hold begins anew. */
  failed(key: string): void {
    this.#act(key, (breaker, now) => breaker.failed(now, this.#draw))
  }

  /** How old the oldest event is that is not written yet. Tell it once a flush interval; 0: there is none. */
  aged(key: string, oldestMs: number): void {
    checked('KeyedBreaker.aged', 'oldestMs', oldestMs, 'a number of at least 0')
    this.#act(key, (breaker, now) => breaker.aged(oldestMs, this.#intervalMs(key), now, this.#draw))
  }

  /** Active parts of the partition that has most of them, and the engine's `parts_to_delay_insert`. */
  parts(key: string, active: number, partsToDelayInsert: number): void {
    checked('KeyedBreaker.parts', 'active', active, 'a number of at least 0')
    checked('KeyedBreaker.parts', 'partsToDelayInsert', partsToDelayInsert, 'a number above 0')
    this.#act(key, (breaker, now) => breaker.parts(active, partsToDelayInsert, now, this.#draw))
  }

  /**
   * Whether a flush of this data source may begin now. A true after a hold is its one probe: begin that flush, and
   * tell what became of it.
   * @param node what is known of the node it would go to; default: nothing bad
   */
  mayFlush(key: string, node: NodeHealth = FIT): boolean {
    return this.#tripped.get(key)?.mayFlush(node, this.#clock.now(), this.#draw) ?? true
  }

  /** Whether this data source cannot keep up: what drives its saturation clock (I3). */
  isSaturated(key: string): boolean {
    return this.#tripped.has(key)
  }

  read(key: string): BreakerReading {
    const breaker = this.#tripped.get(key) ?? this.#quiet.get(key)
    const { state = 'closed', reason = null, holds = 0, unanswered = [], baselineMs = null } = breaker ?? {}
    return {
      state,
      reason,
      untilMs: state === 'open' ? (breaker?.untilMs ?? null) : null,
      holds,
      unanswered,
      baselineMs,
    }
  }

  /**
   * Everything there is to know, for another process: plain JSON. What is open stays open for as long as was left.
   * @param isWanted of which keys. Default: of all.
   */
  snapshot(isWanted: (key: string) => boolean = () => true): [key: string, saved: SavedBreaker][] {
    const now = this.#clock.now()
    const saved: [key: string, saved: SavedBreaker][] = []
    for (const each of [this.#quiet, this.#tripped])
      for (const [key, breaker] of each) if (isWanted(key)) saved.push([key, breaker.save(now)])
    return saved
  }

  /**
   * Takes up what a {@link snapshot} holds. The time in between counts for nothing: no clock saw it.
   * @throws TypeError where it is no such snapshot; what came before in it has been taken up
   */
  restore(saved: Iterable<readonly [key: string, saved: SavedBreaker]>): void {
    const now = this.#clock.now()
    for (const [key, one] of saved) {
      const { flushes, meanMs, measure, holds, heldForMs, ageAllowanceMs, openForMs } = one
      const numbers = { flushes, meanMs, measure, holds, heldForMs, ageAllowanceMs, openForMs: openForMs ?? 0 }
      for (const [field, value] of Object.entries(numbers))
        checked('KeyedBreaker.restore', field, value, 'a number of at least 0')
      this.#keep(key, new Breaker(this.#settings, now, one))
    }
  }

  #act(key: string, act: (breaker: Breaker, nowMs: number) => void): void {
    const now = this.#clock.now()
    const breaker = this.#tripped.get(key) ?? this.#quiet.get(key) ?? new Breaker(this.#settings, now)
    act(breaker, now)
    this.#keep(key, breaker)
  }

  #keep(key: string, breaker: Breaker): void {
    const isTripped = breaker.state !== 'closed' || breaker.unanswered.length > 0
    this.#quiet.delete(key)
    if (!isTripped) this.#tripped.delete(key)
    const map = isTripped ? this.#tripped : this.#quiet
    map.set(key, breaker)
    if (this.size <= this.#settings.maxKeys) return
    // A forgotten one that was open is probed by its next flush, which is what comes of a hold anyway.
    const [oldest] = (this.#quiet.size > 0 ? this.#quiet : this.#tripped).keys()
    if (oldest !== undefined) for (const each of [this.#quiet, this.#tripped]) each.delete(oldest)
  }
}
