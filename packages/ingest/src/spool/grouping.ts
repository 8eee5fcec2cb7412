import type { Clock } from '@sluice/core'

/**
 * Gathers what is to be put on disk together, and has one group put there after another. Who comes when none was lately need
 * not wait for others; who comes during one has waited long enough at its end.
 */
export class Grouping<Item> {
  readonly #groupMs: number
  readonly #clock: Pick<Clock, 'now' | 'timer'>
  readonly #put: (group: readonly Item[]) => Promise<void>
  #waiting: Item[] = []
  #running: Promise<void> | null = null
  /** When the last group was begun. */
  #putAtMs = Number.NEGATIVE_INFINITY
  /** Ends the wait for others. */
  #hurry = (): void => {}

  /** @param put never rejects: what goes wrong is told to those of the group */
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
    const waitMs = this.#putAtMs + this.#groupMs - this.#clock.now()
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
    }
    this.#running = null // in the same turn in which nobody waited: who comes next begins another
  }
}
