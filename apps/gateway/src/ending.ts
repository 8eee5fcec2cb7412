import type { Clock } from '@sluice/core'
import type { Logger } from './logger.js'

/** Whatever is put on disk at the end has so long at least, in ms, however short the grace is. */
export const LEAST_DISK_MS = 500

/** The end of a gateway, which waits for a disk that hangs no longer than it must. */
export class Ending {
  readonly #clock: Pick<Clock, 'now' | 'timer'>
  readonly #logger: Pick<Logger, 'warn'>
  readonly #late = new Set<Promise<unknown>>()

  constructor(clock: Pick<Clock, 'now' | 'timer'>, logger: Pick<Logger, 'warn'>) {
    this.#clock = clock
    this.#logger = logger
  }

  /** Whether something is still going on that was late. */
  get isLate(): boolean {
    return this.#late.size > 0
  }

  /** Fulfils when a part has ended, or in time: then it is told, and left to itself. @throws what it rejects with by then */
  inTime(what: string, ms: number, part: Promise<unknown>): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = this.#clock.timer(ms, () => {
        this.late(what, ms, part)
        resolve()
      })
      part.then(() => resolve(), reject).finally(stop)
    })
  }

  /** Tells of a part that was waited for so long. */
  late(what: string, ms: number, part: Promise<unknown>): void {
    this.#logger.warn('not closed in time', { what, ms: Math.round(ms) })
    const ended = (): void => void this.#late.delete(part)
    this.#late.add(part)
    part.then(ended, ended)
  }
}
