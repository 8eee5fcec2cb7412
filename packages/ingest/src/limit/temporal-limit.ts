import { type Clock, systemClock } from '@sluice/core'
import { DrainRate } from '../drain-rate.js'
import { TOLERANCE_MS } from '../retry-after.js'
import { checked, complete, type Fields } from '../settings.js'
import { SaturationClock, type SavedSaturation } from './saturation-clock.js'

/** What a {@link TemporalLimit} can be told (I3). */
export interface TemporalLimitOptions {
  /** The limit begins at so many times the rows a second that were written lately. Default 0.8. */
  drainShare?: number | undefined
  /** In rows a second, what it never begins below. Default 1. */
  leastRowsPerSecond?: number | undefined
  /** What a healthy minute multiplies it by. Default 1.1. */
  growth?: number | undefined
  /** It is lifted after so many healthy minutes in a row. Default 10. */
  healthyMinutes?: number | undefined
  /** How far ahead of its rate a source may be, in ms. Default 1000: a second's rows at once. */
  burstMs?: number | undefined
  /** The clock that imposes it. Default: one of its own, with the defaults. */
  saturation?: SaturationClock | undefined
  /** Default: the system's. */
  clock?: Pick<Clock, 'now'> | undefined
}

const FIELDS = {
  drainShare: [0.8, 'a number above 0'],
  leastRowsPerSecond: [1, 'a number above 0'],
  growth: [1.1, 'a number of at least 1'],
  healthyMinutes: [10, 'an integer of at least 1'],
  burstMs: [1000, 'a number of at least 0'],
} as const satisfies Fields

const MINUTE_MS = 60_000

/** What became of some rows. `retryAfterMs` is 0 where they were admitted; state it rounded up with `retryAfterSeconds()`. */
export interface Admission {
  readonly isAdmitted: boolean
  readonly retryAfterMs: number
}

/** A temporal limit as it is written down. */
export interface SavedTemporalLimit {
  readonly saturation: SavedSaturation
  readonly rowsPerSecond: number | null
  readonly healthyForMs: number
}

/**
 * The limit of a data source that could not keep up for 20 minutes (I3). It begins below what was drained lately, grows
 * with each healthy minute, and goes after ten in a row. It does not fall while it is on: what is saturated again only
 * begins its healthy minutes anew.
 */
export class TemporalLimit {
  readonly #settings: Readonly<Record<keyof typeof FIELDS, number>>
  readonly #clock: Pick<Clock, 'now'>
  readonly #saturation: SaturationClock
  readonly #drained: DrainRate
  #rowsPerSecond: number | null = null
  /** Without a break, while it is on. */
  #healthyForMs = 0
  /** When the rows that were admitted will have come at the limit's rate. */
  #paidUntilMs = 0

  /** @throws TypeError that names the option, its value and what is allowed */
  constructor({ clock = systemClock, saturation, ...rest }: TemporalLimitOptions = {}) {
    this.#settings = complete('TemporalLimit', FIELDS, rest, ['saturation', 'clock'])
    this.#clock = clock
    this.#saturation = saturation ?? new SaturationClock({ clock })
    this.#drained = new DrainRate({ clock })
  }

  /** Null: there is no limit. */
  get rowsPerSecond(): number | null {
    return this.#rowsPerSecond
  }

  /** How long it has been healthy without a break, in ms; null: there is no limit. */
  get healthyForMs(): number | null {
    return this.#rowsPerSecond === null ? null : this.#healthyForMs
  }

  /** When it is lifted at the earliest, in ms from the last observation; null: there is none. What owners are told as "until". */
  get liftedInMs(): number | null {
    return this.#rowsPerSecond === null ? null : this.#settings.healthyMinutes * MINUTE_MS - this.#healthyForMs
  }

  /** So many rows of this data source were written now. */
  drained(rows: number): void {
    this.#drained.add(rows)
  }

  /** Whether the data source cannot keep up now. Tell it once a second or so, and at each change. */
  observe(isSaturated: boolean): void {
    const { elapsedMs, wasSaturated } = this.#saturation.observe(isSaturated)
    if (this.#rowsPerSecond === null) {
      if (this.#saturation.isFull) this.#impose()
      return
    }
    if (wasSaturated) this.#healthyForMs = 0
    else this.#recover(elapsedMs)
    if (isSaturated) this.#healthyForMs = 0
  }

  /**
   * Asks for so many rows at once. What is admitted may be more than the limit; what follows then waits the longer.
   * @throws TypeError where it is no finite number of at least 0
   */
  admit(rows: number): Admission {
    checked('TemporalLimit.admit', 'rows', rows, 'a number of at least 0')
    if (this.#rowsPerSecond === null) return { isAdmitted: true, retryAfterMs: 0 }
    const now = this.#clock.now()
    const paidUntilMs = Math.max(now, this.#paidUntilMs)
    const retryAfterMs = paidUntilMs - now - this.#settings.burstMs
    // As many as a second's rows may be on their way; what has filled that waits until some of it has come.
    if (retryAfterMs >= TOLERANCE_MS) return { isAdmitted: false, retryAfterMs }
    this.#paidUntilMs = paidUntilMs + (rows * 1000) / this.#rowsPerSecond
    return { isAdmitted: true, retryAfterMs: 0 }
  }

  /** Ends it, and sets the saturation clock to 0: after its healthy minutes, or because an owner says so. */
  lift(): void {
    this.#rowsPerSecond = null
    this.#healthyForMs = 0
    this.#saturation.reset()
  }

  snapshot(): SavedTemporalLimit {
    const [rowsPerSecond, healthyForMs] = [this.#rowsPerSecond, this.#healthyForMs]
    return { saturation: this.#saturation.snapshot(), rowsPerSecond, healthyForMs }
  }

  /**
   * Takes up where another process was. The time in between counts for nothing: nobody was looking.
   * @throws TypeError where it is no such snapshot
   */
  restore({ saturation, rowsPerSecond, healthyForMs }: SavedTemporalLimit): void {
    this.#saturation.restore(saturation)
    const rows = (): number => checked('TemporalLimit.restore', 'rowsPerSecond', rowsPerSecond, 'a number above 0')
    this.#rowsPerSecond = rowsPerSecond === null ? null : rows()
    this.#healthyForMs = checked('TemporalLimit.restore', 'healthyForMs', healthyForMs, 'a number of at least 0')
  }

  #impose(): void {
    const { drainShare, leastRowsPerSecond } = this.#settings
    this.#rowsPerSecond = Math.max(leastRowsPerSecond, drainShare * this.#drained.perSecond)
    this.#healthyForMs = 0
    this.#paidUntilMs = this.#clock.now()
  }

  #recover(elapsedMs: number): void {
    const { growth, healthyMinutes } = this.#settings
    const before = Math.floor(this.#healthyForMs / MINUTE_MS)
    this.#healthyForMs += elapsedMs
    const minutes = Math.floor(this.#healthyForMs / MINUTE_MS)
    if (minutes >= healthyMinutes) this.lift()
    else if (this.#rowsPerSecond !== null) this.#rowsPerSecond *= growth ** (minutes - before)
  }
}
