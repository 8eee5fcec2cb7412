export const SECOND = 1000

/**
 * After a hold those who wait start one by one over a second, not all at once (L10): of n the i-th, from 0, may start
 * ceil(i · 1000 / n) ms later. Whoever leaves keeps its moment unused.
 */
export class Spread<Waiter extends object> {
  readonly #fromMs: number
  readonly #waiters: readonly Waiter[]
  /** Those who have neither started nor left. */
  readonly #left: Set<Waiter>
  #next = 0

  /** @param waiters those who start in it, first to last */
  constructor(fromMs: number, waiters: readonly Waiter[]) {
    this.#fromMs = fromMs
    this.#waiters = waiters
    this.#left = new Set(waiters)
  }

  /** Whether all of them have started or left. */
  get isOver(): boolean {
    return this.#left.size === 0
  }

  /** The next to start; undefined: it is over. */
  get next(): Waiter | undefined {
    for (; this.#next < this.#waiters.length; this.#next++) {
      const waiter = this.#waiters[this.#next]
      if (waiter && this.#left.has(waiter)) return waiter
    }
    return undefined
  }

  /** From when the next may start. */
  get nextAtMs(): number {
    return this.next ? this.#fromMs + Math.ceil((this.#next * SECOND) / this.#waiters.length) : Number.POSITIVE_INFINITY
  }

  /** It started, or left. */
  remove(waiter: Waiter): void {
    this.#left.delete(waiter)
  }
}
