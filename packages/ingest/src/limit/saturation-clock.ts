import { type Clock, systemClock } from '@sluice/core'
import { checked, complete, type Fields } from '../settings.js'

/** What a {@link SaturationClock} can be told (I3). */
export interface SaturationClockOptions {
  /** It is full at so many milliseconds. Default 1 200 000: 20 minutes. */
  fullMs?: number | undefined
  /** How fast it runs back while all is well, against how fast it runs. Default 0.5. */
  recoveryRate?: number | undefined
  /** A longer time between two observations counts for nothing: nobody was looking. Default 10 000. */
  maxGapMs?: number | undefined
  /** Default: the system's. */
  clock?: Pick<Clock, 'now'> | undefined
}

const FIELDS = {
  fullMs: [1_200_000, 'a number above 0'],
  recoveryRate: [0.5, 'a number of at least 0'],
  maxGapMs: [10_000, 'a number above 0'],
} as const satisfies Fields

/** A saturation clock as it is written down. */
export interface SavedSaturation {
  readonly valueMs: number
}

/**
 * How long a data source has been unable to keep up (I3): a second more each second while it is saturated, half a
 * second less while it is not, never below 0. It runs from one observation to the next, as the earlier one said; a
 * process that was suspended, or not there, has observed nothing.
 */
export class SaturationClock {
  readonly #settings: Readonly<Record<keyof typeof FIELDS, number>>
  readonly #clock: Pick<Clock, 'now'>
  #valueMs = 0
  #isSaturated = false
  /** Of the last observation; null: there was none in this process. */
  #atMs: number | null = null

  /** @throws TypeError that names the option, its value and what is allowed */
  constructor({ clock = systemClock, ...rest }: SaturationClockOptions = {}) {
    this.#settings = complete('SaturationClock', FIELDS, rest, ['clock'])
    this.#clock = clock
  }

  /** As of the last observation, in ms. */
  get valueMs(): number {
    return this.#valueMs
  }

  get isFull(): boolean {
    return this.#valueMs >= this.#settings.fullMs
  }

  /**
   * Tell it once a second or so, and at each change.
   * @returns the time since the last observation, in ms, and whether it was saturated; 0 where nobody was looking
   */
  observe(isSaturated: boolean): { elapsedMs: number; wasSaturated: boolean } {
    const { recoveryRate, maxGapMs } = this.#settings
    const now = this.#clock.now()
    const wasSaturated = this.#isSaturated
    const gapMs = this.#atMs === null ? 0 : Math.max(0, now - this.#atMs)
    const elapsedMs = gapMs > maxGapMs ? 0 : gapMs
    this.#valueMs = Math.max(0, this.#valueMs + (wasSaturated ? elapsedMs : -recoveryRate * elapsedMs))
    this.#isSaturated = isSaturated
    this.#atMs = now
    return { elapsedMs, wasSaturated }
  }

  /** Back to 0. */
  reset(): void {
    this.#valueMs = 0
  }

  snapshot(): SavedSaturation {
    return { valueMs: this.#valueMs }
  }

  /**
   * Takes up where another process was. Nothing is observed yet.
   * @throws TypeError where it is no such snapshot
   */
  restore({ valueMs }: SavedSaturation): void {
    this.#valueMs = checked('SaturationClock.restore', 'valueMs', valueMs, 'a number of at least 0')
    this.#isSaturated = false
    this.#atMs = null
  }
}
