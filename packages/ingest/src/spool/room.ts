import type { Clock } from '@sluice/core'

/** The disk has too little left for more events. Nothing of them is on it. */
export class SpoolFullError extends Error {
  override readonly name = 'SpoolFullError'

  constructor(reserveBytes: number) {
    super(`Spool: the disk has little more than the ${reserveBytes} bytes that are kept for writing what it holds`)
  }
}

/** What was seen counts for so long. */
const KNOWN_MS = 1000

/** Whether the disk has room for more events beside what is kept for claims and marks. It asks it now and then. */
export class Room {
  readonly #freeBytes: () => Promise<number>
  readonly #reserveBytes: number
  readonly #clock: Pick<Clock, 'now'>
  /** What of it may be used until it is asked again. */
  #left = 0
  #askedMs = Number.NEGATIVE_INFINITY

  constructor(freeBytes: () => Promise<number>, reserveBytes: number, clock: Pick<Clock, 'now'>) {
    this.#freeBytes = freeBytes
    this.#reserveBytes = reserveBytes
    this.#clock = clock
  }

  /** Then they count. */
  async has(bytes: number): Promise<boolean> {
    const now = this.#clock.now()
    if (bytes > this.#left || now - this.#askedMs >= KNOWN_MS) {
      this.#askedMs = now
      // A file system that cannot tell says so soon enough when it is written to.
      const free = await this.#freeBytes().catch(() => Number.POSITIVE_INFINITY)
      this.#left = free - this.#reserveBytes
    }
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }
}
