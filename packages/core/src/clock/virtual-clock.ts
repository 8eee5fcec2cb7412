import type { Clock } from './clock.js'

interface Timer {
  due: number
  sequence: number
  fire: () => void
}

/** Everything already runnable gets to run: microtasks first, then one turn of the event loop. */
const settle = (): Promise<void> =>
  new Promise((resolve) => {
    // Node's, and many times faster than a channel; other platforms do not have it.
    const { setImmediate } = globalThis as { setImmediate?: (run: () => void) => void }
    if (setImmediate) return setImmediate(resolve)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })

/**
 * Time that stands still until told to move: for tests of code that waits.
 *
 * Timers fire in the order of their due time and, within one millisecond, in the order they were set; between two
 * timers everything that became runnable runs to its end. So two runs of the same program are the same.
 */
export class VirtualClock implements Clock {
  #now = 0
  #wallOffset: number
  #sequence = 0
  #timers: Timer[] = []

  /** @param wallNow epoch ms that the wall clock shows while `now()` is 0; default 2026-01-01T00:00:00Z. */
  constructor(wallNow = 1_767_225_600_000) {
    this.#wallOffset = wallNow
  }

  now(): number {
    return this.#now
  }

  wallNow(): number {
    return this.#wallOffset + this.#now
  }

  /** Steps the wall clock, as NTP or a person would; `now()` and timers do not notice (R18). */
  setWall(epochMs: number): void {
    this.#wallOffset = epochMs - this.#now
  }

  timer(ms: number, fire: () => void): () => void {
    const timer = { due: this.#now + Math.max(0, ms), sequence: this.#sequence++, fire }
    const after = this.#timers.findIndex((other) => other.due > timer.due)
    this.#timers.splice(after < 0 ? this.#timers.length : after, 0, timer)
    return () => {
      const index = this.#timers.indexOf(timer)
      if (index >= 0) this.#timers.splice(index, 1)
    }
  }

  /** How many timers are set: 0 after a call ended, or it left one behind. */
  pending(): number {
    return this.#timers.length
  }

  /** Moves time on by `ms`, firing on the way what falls due. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    await settle()
    while (this.#timers[0] && this.#timers[0].due <= end) await this.#fireNext()
    this.#now = Math.max(this.#now, end) // another advance may have gone further
  }

  /**
   * Moves time from timer to timer until `promise` settles.
   * @returns what the promise fulfils with; rejects with its reason, or where no timer is left that could settle it.
   */
  async run<T>(promise: Promise<T>): Promise<T> {
    let settled = false
    const done = (): void => {
      settled = true
    }
    promise.then(done, done)
    await settle()
    while (!settled) {
      if (this.#timers.length === 0)
        throw new Error('VirtualClock: the promise is pending and no timer is left to fire')
      await this.#fireNext()
    }
    return promise
  }

  async #fireNext(): Promise<void> {
    const next = this.#timers.shift()
    if (!next) return
    this.#now = next.due
    next.fire()
    await settle()
  }
}
