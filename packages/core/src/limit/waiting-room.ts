import { LinkedList } from './linked-list.js'
import { Pace } from './pace.js'
import type { Queue } from './queue.js'
import { Spread } from './spread.js'
import type { Waiter } from './waiter.js'

/** Those who wait for a slot: in what order they start, and who loses patience first. */
export class WaitingRoom {
  readonly #queue: Queue
  /** The same waiters by the time they came: all have the same patience at any one time, so the first is the first to lose it. */
  readonly #byDeadline = new LinkedList<Waiter>()
  #spread: Spread<Waiter> | null = null
  #pace: Pace | null = null

  constructor(queue: Queue) {
    this.#queue = queue
  }

  get size(): number {
    return this.#queue.size
  }

  /** When the first of them came, what was held before it left out; Infinity: nobody waits. */
  get firstSinceMs(): number {
    const { first } = this
    return first ? first.sinceMs - first.heldBeforeMs : Number.POSITIVE_INFINITY
  }

  /** Who loses patience first. */
  get first(): Waiter | undefined {
    return this.#byDeadline.first
  }

  /** When the next may start, should there be a slot; −Infinity: at any time. */
  get nextAtMs(): number {
    return (this.#spread ?? this.#pace)?.nextAtMs ?? Number.NEGATIVE_INFINITY
  }

  /** Who starts next. */
  get next(): Waiter | undefined {
    return this.#spread?.next ?? this.#queue.next
  }

  all(): Waiter[] {
    return [...this.#queue]
  }

  add(waiter: Waiter): void {
    this.#queue.add(waiter)
    this.#byDeadline.insert(waiter, this.#byDeadline.last)
  }

  /** It starts, or leaves. */
  remove(waiter: Waiter): void {
    this.#queue.remove(waiter)
    this.#byDeadline.remove(waiter)
    if (this.#spread) {
      this.#spread.remove(waiter)
      if (this.#spread.isOver) this.#spread = null
    } else if (this.#pace?.pass() || this.size === 0) this.#pace = null
  }

  /**
   * A hold has ended: as many as there are slots start over a second, and the others that wait after them, no faster than
   * over a second either; whoever comes later waits for them (L10).
   */
  spread(fromMs: number, slots: number): void {
    const first: Waiter[] = []
    for (const waiter of this.#queue) {
      if (first.length === slots) break
      first.push(waiter)
    }
    const others = this.size - first.length
    this.#spread = first.length > 0 ? new Spread(fromMs, first) : null
    this.#pace = others > 0 ? new Pace(fromMs, first.length, others) : null
  }

  /** A hold has begun: moments that were given count no more. */
  gather(): void {
    this.#spread = this.#pace = null
  }
}
