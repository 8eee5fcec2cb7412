import { type Clock, systemClock } from '@sluice/core'
import { complete, type Fields } from '../settings.js'

/** How a data source is. `delay-does-not-help`: its breaker has given up delaying it (I2). */
export type SourceState = 'flowing' | 'delayed' | 'limited' | 'delay-does-not-help'

/** What an owner is told (I7). Times are epoch milliseconds, since people read them. */
export interface Notice {
  /** 1, 2, 3 … */
  readonly id: number
  readonly atMs: number
  readonly source: string
  /** `flowing`: it has recovered. */
  readonly state: SourceState
  readonly before: SourceState
  /** Why, in words; of a recovery, what it recovered from. */
  readonly reason: string
  /** Until when, as far as is known. */
  readonly untilMs: number | null
}

/** What a {@link Notices} can be told. */
export interface NoticesOptions {
  /** Notices kept; the oldest go first. Default 1000. */
  maxNotices?: number | undefined
  /** Default: the system's. */
  clock?: Pick<Clock, 'wallNow'> | undefined
}

const FIELDS = { maxNotices: [1000, 'an integer of at least 1'] } as const satisfies Fields

/** One notice when a data source's state changes, one when it recovers (I7): as a list, and to whoever listens. */
export class Notices {
  readonly #maxNotices: number
  readonly #clock: Pick<Clock, 'wallNow'>
  #kept: Notice[] = []
  #lastId = 0
  /** Of those that are not flowing: with why. */
  readonly #states = new Map<string, { state: SourceState; reason: string }>()
  readonly #listeners = new Set<{ readonly listener: (notice: Notice) => void }>()

  /** @throws TypeError that names the option, its value and what is allowed */
  constructor({ clock = systemClock, ...rest }: NoticesOptions = {}) {
    this.#maxNotices = complete('Notices', FIELDS, rest, ['clock']).maxNotices
    this.#clock = clock
  }

  /** The state of a data source as it was last set. */
  stateOf(source: string): SourceState {
    return this.#states.get(source)?.state ?? 'flowing'
  }

  /**
   * How a data source is now. Where that is how it was, nobody is told again: neither of another reason nor of a later end.
   * @param reason why, in words for its owner; not used where it has recovered
   * @param forMs how long that will last; null: nobody knows
   * @returns the notice; null: nothing changed
   */
  set(source: string, state: SourceState, reason: string, forMs: number | null = null): Notice | null {
    const before = this.#states.get(source)
    if ((before?.state ?? 'flowing') === state) return null
    if (state === 'flowing') this.#states.delete(source)
    else this.#states.set(source, { state, reason })
    const atMs = this.#clock.wallNow()
    return this.#tell({
      ...{ atMs, source, state, before: before?.state ?? 'flowing' },
      reason: state === 'flowing' ? (before?.reason ?? reason) : reason,
      untilMs: state === 'flowing' || forMs === null ? null : atMs + forMs,
    })
  }

  /**
   * Something was done to a data source that its state does not show, such as a backlog that its owner dropped.
   * @param reason what, in words for its owner
   */
  record(source: string, reason: string): Notice {
    const state = this.stateOf(source)
    return this.#tell({ atMs: this.#clock.wallNow(), source, state, before: state, reason, untilMs: null })
  }

  /**
   * The notices after one, oldest first: what a client that comes back with a `Last-Event-ID` has missed.
   * @param afterId default 0: all that are kept
   * @returns `isWhole` false: some of them are no longer kept
   */
  list(afterId = 0): { notices: readonly Notice[]; isWhole: boolean } {
    const kept = this.#kept.slice(-this.#maxNotices)
    const oldest = kept[0]?.id ?? this.#lastId + 1
    return { notices: kept.filter(({ id }) => id > afterId), isWhole: afterId + 1 >= oldest }
  }

  /**
   * Calls `listener` with each notice from now on, a microtask later.
   * @returns a function that ends it
   */
  subscribe(listener: (notice: Notice) => void): () => void {
    const entry = { listener }
    this.#listeners.add(entry)
    return () => {
      this.#listeners.delete(entry)
    }
  }

  #tell(told: Omit<Notice, 'id'>): Notice {
    const notice: Notice = Object.freeze({ id: ++this.#lastId, ...told })
    this.#kept.push(notice)
    // In pieces, so that a full list costs no more than another.
    if (this.#kept.length >= 2 * this.#maxNotices) this.#kept = this.#kept.slice(-this.#maxNotices)
    // Never in the midst of what caused it, and no listener keeps another from hearing.
    for (const { listener } of this.#listeners) queueMicrotask(() => listener(notice))
    return notice
  }
}
