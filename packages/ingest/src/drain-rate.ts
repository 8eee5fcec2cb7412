import { type Clock, systemClock } from '@sluice/core'
import { checked } from './settings.js'

/** Seconds that count: this one, and the 59 before it. */
const SECONDS = 60

/** What a {@link DrainRate} can be told. */
export interface DrainRateOptions {
  /** Default: the system's. */
  clock?: Pick<Clock, 'now'> | undefined
}

/** How much was written in the last 60 seconds, counted by whole seconds: rows for I3, bytes for I5. Sixty numbers, whatever comes. */
export class DrainRate {
  readonly #clock: Pick<Clock, 'now'>
  readonly #amounts = new Float64Array(SECONDS)
  /** The second that was counted last. */
  #second: number
  #sum = 0

  constructor({ clock = systemClock }: DrainRateOptions = {}) {
    this.#clock = clock
    this.#second = this.#now()
  }

  /**
   * So much was written now.
   * @throws TypeError where it is no finite number of at least 0
   */
  add(amount: number): void {
    checked('DrainRate.add', 'amount', amount, 'a number of at least 0')
    this.#settle()
    const at = this.#second % SECONDS
    this.#amounts[at] = (this.#amounts[at] ?? 0) + amount
    this.#sum += amount
  }

  /** A second, over the last 60; a younger process counts the time before it as 60 seconds too, in which it wrote nothing. */
  get perSecond(): number {
    this.#settle()
    return this.#sum / SECONDS
  }

  #settle(): void {
    const second = this.#now()
    if (second <= this.#second) return // a clock that goes backwards forgets nothing
    const past = Math.min(SECONDS, second - this.#second)
    for (let i = 1; i <= past; i++) this.#amounts[(this.#second + i) % SECONDS] = 0
    this.#second = second
    this.#sum = this.#amounts.reduce((sum, amount) => sum + amount, 0) // summed anew: no rounding is carried on
  }

  #now(): number {
    return Math.max(0, Math.floor(this.#clock.now() / 1000))
  }
}
