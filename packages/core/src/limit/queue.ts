import { type Link, LinkedList } from './linked-list.js'
import type { Waiter } from './waiter.js'

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
  readonly #list = new LinkedList<Waiter>()

  get size(): number {
    return this.#list.size
  }

  get next(): Waiter | undefined {
    return this.#list.first?.value
  }

  add(waiter: Waiter): void {
    const { last } = this.#list
    const isNewest = !last || last.value.place < waiter.place
    waiter.inQueue = this.#list.insert(waiter, isNewest ? last : this.#lastBefore(waiter.place))
  }

  remove(waiter: Waiter): void {
    if (waiter.inQueue) this.#list.remove(waiter.inQueue)
    waiter.inQueue = undefined
  }

  [Symbol.iterator](): Iterator<Waiter> {
    return this.#list[Symbol.iterator]()
  }

  /** A retry is older than nearly all who wait, so the search begins at the front. */
  #lastBefore(place: number): Link<Waiter> | undefined {
    let before: Link<Waiter> | undefined
    for (let link = this.#list.first; link && link.value.place < place; link = link.after) before = link
    return before
  }
}
