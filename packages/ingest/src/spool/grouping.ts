import type { Clock } from '@sluice/core'

/**
 * Gathers what is to be put on disk together, and has one group put there after another. Who comes when none was lately need
 * not wait for others; who comes during one has waited long enough at its end. Between two that come alone there is as much
 * time as the first one took, so that a quick disk makes nobody wait long and works at most half of the time.
 */
export class Grouping<Item> {
  readonly #groupMs: number
  readonly #clock: Pick<Clock, 'now' | 'timer'>
  readonly #put: (group: readonly Item[]) => Promise<void>
  #waiting: Item[] = []
  #running: Promise<void> | null = null
  /** When the last group was begun, and how long it took. */
  #putAtMs = Number.NEGATIVE_INFINITY
  #tookMs = 0
  /** Ends the wait for others. */
  #hurry = (): void => {}

  /**
   * @param groupMs the longest wait, from the beginning of the last group
   * @param put never rejects: what goes wrong is told to those of the group
   */
  constructor(groupMs: number, clock: Pick<Clock, 'now' | 'timer'>, put: (group: readonly Item[]) => Promise<void>) {
    this.#groupMs = groupMs
    this.#clock = clock
    this.#put = put
  }

  /** @param isUrgent it waits for nobody, and neither does who waits beside it */
  add(item: Item, isUrgent: boolean): void {
    this.#waiting.push(item)
    this.#running ??= this.#run()
    if (isUrgent) this.#hurry()
  }

  /** Fulfils when nobody waits. */
  async settled(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    const waitMs = this.#putAtMs + Math.min(this.#groupMs, 2 * this.#tookMs) - this.#clock.now()
    await new Promise<void>((resolve) => {
      if (waitMs <= 0) return resolve()
      const stop = this.#clock.timer(waitMs, resolve)
      this.#hurry = () => {
        stop()
        resolve()
      }
    })
    while (this.#waiting.length > 0) {
      this.#putAtMs = this.#clock.now()
      await this.#put(this.#waiting.splice(0))
      this.#tookMs = this.#clock.now() - this.#putAtMs
    }
    this.#running = null // in the same turn in which nobody waited: who comes next begins another
  }
}
