import { LinkedList } from './linked-list.js'
import type { QueuePlace, Waiter } from './waiter.js'

/** Who is next. Exchangeable: another discipline may prefer the last, or some kind of call. */
export interface Queue extends Iterable<Waiter> {
  readonly size: number
  readonly next: Waiter | undefined
  add(waiter: Waiter): void
  /** Takes one out that is in it, wherever it stands. */
  remove(waiter: Waiter): void
}

/** First come, first served, by place. Taking out is O(1); adding too, but for a retry whose elders wait as well. */
export class FifoQueue implements Queue {
  readonly #list = new LinkedList<QueuePlace>()

  get size(): number {
    return this.#list.size
  }

  get next(): Waiter | undefined {
    return this.#list.first?.waiter
  }

  add(waiter: Waiter): void {
    const { last } = this.#list
    const isNewest = !last || last.waiter.place < waiter.place
    waiter.inQueue = { waiter, before: undefined, after: undefined }
    this.#list.insert(waiter.inQueue, isNewest ? last : this.#lastBefore(waiter.place))
  }

  remove(waiter: Waiter): void {
    if (waiter.inQueue) this.#list.remove(waiter.inQueue)
    waiter.inQueue = undefined
  }

  *[Symbol.iterator](): Generator<Waiter> {
    for (const { waiter } of this.#list) yield waiter
  }

  /** A retry is older than nearly all who wait, so the search begins at the front. */
  #lastBefore(place: number): QueuePlace | undefined {
    let before: QueuePlace | undefined
    for (let at = this.#list.first; at && at.waiter.place < place; at = at.after) before = at
    return before
  }
}
