import type { Clock } from '@sluice/core'
import type { BreakerReason, NodeHealth, SavedBreaker } from '../breaker/breaker.js'
import { KeyedBreaker } from '../breaker/keyed-breaker.js'
import type { KeyedBreakerOptions } from '../breaker/options.js'
import { DrainRate } from '../drain-rate.js'
import { SaturationClock } from '../limit/saturation-clock.js'
import {
  type Admission,
  type SavedTemporalLimit,
  TemporalLimit,
  type TemporalLimitOptions,
} from '../limit/temporal-limit.js'
import type { Notices, SourceState } from '../notices/notices.js'
import type { ActiveParts } from './ingest-node.js'

const WORDS: Readonly<Record<BreakerReason, string>> = {
  slow_flushes: 'its inserts take much longer than they did',
  old_events: 'its oldest event waits for many flush intervals',
  many_parts: 'one of its partitions has too many parts',
}
interface Guarded {
  readonly limit: TemporalLimit
  readonly saturation: SaturationClock
  readonly drainedBytes: DrainRate
  refusedBlocks: number
}

/** What is known of all data sources' guards, for another process. */
export interface SavedGuard {
  readonly breaker: readonly (readonly [source: string, saved: SavedBreaker])[]
  readonly limits: readonly (readonly [source: string, saved: SavedTemporalLimit])[]
}

/** What the guard is made of. */
export interface SourceGuardOptions {
  readonly breaker: KeyedBreakerOptions
  readonly limit: Omit<TemporalLimitOptions, 'saturation' | 'clock'>
  readonly notices: Notices
  readonly clock: Clock
}

/** The breaker (I2) and the temporal limit (I3) of each data source, told what really happens, and what owners hear of it (I7). */
export class SourceGuard {
  readonly #options: SourceGuardOptions
  readonly #breaker: KeyedBreaker
  readonly #guarded = new Map<string, Guarded>()

  constructor(options: SourceGuardOptions) {
    this.#options = options
    this.#breaker = new KeyedBreaker(options.breaker)
    this.#make() // so that a bad option is refused at once
  }

  /** A block was written. */
  written(source: string, tookMs: number, rows: number, bytes: number): void {
    this.#breaker.flushed(source, tookMs)
    this.drained(source, rows, bytes)
    this.tell(source)
  }

  /** Rows are written, though nobody saw how long that took. */
  drained(source: string, rows: number, bytes: number): void {
    const guarded = this.#of(source)
    guarded.limit.drained(rows)
    guarded.drainedBytes.add(bytes)
  }

  /** It was waited for so long, in vain. */
  timedOut(source: string, ms: number): void {
    this.#breaker.flushed(source, ms)
    this.tell(source)
  }

  failed(source: string): void {
    this.#breaker.failed(source)
    this.tell(source)
  }

  /** So many of its blocks are refused again and again. */
  refused(source: string, blocks: number): void {
    this.#of(source).refusedBlocks = blocks
    this.tell(source)
  }

  parts(source: string, { active, partsToDelayInsert }: ActiveParts): void {
    this.#breaker.parts(source, active, partsToDelayInsert)
    this.tell(source)
  }

  /** How long its flushes ordinarily take; null: too few so far. */
  baselineMs(source: string): number | null {
    return this.#breaker.read(source).baselineMs
  }

  isClosed(source: string): boolean {
    return this.#breaker.read(source).state === 'closed'
  }

  /** Whether a flush may be thought of: closed, or a hold that is over. */
  mayTry(source: string): boolean {
    const { state, untilMs } = this.#breaker.read(source)
    return state === 'closed' || (state === 'open' && this.#options.clock.now() >= (untilMs ?? 0))
  }

  mayFlush(source: string, health: NodeHealth): boolean {
    const may = this.#breaker.mayFlush(source, health)
    this.tell(source)
    return may
  }

  admit(source: string, rows: number): Admission {
    return this.#guarded.get(source)?.limit.admit(rows) ?? { isAdmitted: true, retryAfterMs: 0 }
  }

  drainedPerSecond(source: string): number {
    return this.#guarded.get(source)?.drainedBytes.perSecond ?? 0
  }

  /**
   * Tell it once a second.
   * @param ageMs of the oldest event, by its own doing; null: that cannot be said, since something else holds it back
   */
  observe(source: string, ageMs: number | null): void {
    if (ageMs !== null) this.#breaker.aged(source, ageMs)
    this.#guarded.get(source)?.limit.observe(this.#breaker.isSaturated(source))
    this.tell(source)
  }

  /** All that are guarded, those included that have nothing to be written. */
  sources(): string[] {
    return [...this.#guarded.keys()]
  }

  /** Nothing is to be remembered but how long its flushes take, which its breaker keeps. */
  forgetIfIdle(source: string): void {
    const guarded = this.#guarded.get(source)
    if (!guarded || guarded.limit.rowsPerSecond !== null || guarded.saturation.valueMs > 0) return
    if (guarded.refusedBlocks > 0 || guarded.drainedBytes.perSecond > 0 || this.#breaker.isSaturated(source)) return
    this.#guarded.delete(source)
  }

  /** Until when its writes are delayed, on the clock that was handed in; null: nobody knows, or they are not. */
  delayedUntilMs(source: string): number | null {
    return this.#breaker.read(source).untilMs
  }

  /** Rows a second; null: there is no limit. */
  rowsPerSecond(source: string): number | null {
    return this.#guarded.get(source)?.limit.rowsPerSecond ?? null
  }

  /** Its owner ends its limit. */
  lift(source: string): void {
    this.#guarded.get(source)?.limit.lift()
    this.tell(source)
  }

  snapshot(isWanted: (source: string) => boolean): SavedGuard {
    const limits: [source: string, saved: SavedTemporalLimit][] = []
    for (const [source, { limit }] of this.#guarded) if (isWanted(source)) limits.push([source, limit.snapshot()])
    return { breaker: this.#breaker.snapshot(isWanted), limits }
  }

  /** @throws TypeError where it is no such snapshot */
  restore({ breaker, limits }: SavedGuard): void {
    this.#breaker.restore(breaker)
    for (const [source, saved] of limits) this.#of(source).limit.restore(saved)
    for (const [source] of [...breaker, ...limits]) this.tell(source)
  }

  /** Tells its owner how it is, where that has changed. */
  tell(source: string): void {
    const { notices, clock } = this.#options
    const { state, reason, untilMs, unanswered } = this.#breaker.read(source)
    const { limit, refusedBlocks = 0 } = this.#guarded.get(source) ?? {}
    const set = (to: SourceState, why: string, forMs: number | null): void => void notices.set(source, to, why, forMs)
    if (limit && limit.rowsPerSecond !== null)
      set(
        'limited',
        `it did not keep up for long: ${Math.ceil(limit.rowsPerSecond)} rows a second for now`,
        limit.liftedInMs,
      )
    else if (state !== 'closed')
      set('delayed', reason ? WORDS[reason] : 'its last flush failed', untilMs === null ? null : untilMs - clock.now())
    else if (refusedBlocks > 0) set('delayed', 'some of its rows are refused each time they are sent', null)
    else if (unanswered[0])
      set('delay-does-not-help', `${WORDS[unanswered[0]]}, and waiting does not change that`, null)
    else set('flowing', '', null)
  }

  #of(source: string): Guarded {
    const guarded = this.#guarded.get(source) ?? this.#make()
    this.#guarded.set(source, guarded)
    return guarded
  }

  #make(): Guarded {
    const { clock, limit } = this.#options
    const saturation = new SaturationClock({ clock })
    const drainedBytes = new DrainRate({ clock })
    return { saturation, limit: new TemporalLimit({ ...limit, saturation, clock }), drainedBytes, refusedBlocks: 0 }
  }
}
