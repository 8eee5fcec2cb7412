import type { NodeStatus } from '@sluice/client'
import { History, KEPT_SECONDS, sampleOf } from './history.js'

/** A tab in the background is woken once a minute at least; one that was not woken for longer slept, and heard nothing. */
const ASLEEP_SECONDS = 90

/** One node: how it is, and how it was since the page was opened. */
export class NodeRecord {
  readonly history: History
  #node: NodeStatus
  /** Throttles since the last sample. */
  #throttles = 0

  /** @param second the one before the first sample */
  constructor(node: NodeStatus, second: number) {
    this.#node = node
    this.history = new History(second)
  }

  get node(): NodeStatus {
    return this.#node
  }

  /**
   * @param followed whether the last one came over the same connection. Where it did not, throttles in between are of no
   *   second that is known, and a gateway that was started again counts anew.
   */
  update(node: NodeStatus, followed: boolean): void {
    if (followed) this.#throttles += node.limit.throttles - this.#node.limit.throttles
    this.#node = node
  }

  /**
   * Adds what is missing up to a second. A status is told when it changes, so that what was told last held in between.
   * @param known whether there was a connection that would have told
   */
  sampleUntil(second: number, known: boolean): void {
    const missing = second - this.history.lastSecond
    const heard = known && missing <= ASLEEP_SECONDS
    // Where the wall clock was put back, what is kept was so many seconds ago all the same.
    if (missing < 0) this.history.endAt(second)
    // Whoever was asleep for longer than is kept need not go through all of it.
    if (missing > KEPT_SECONDS) this.history.endAt(second - KEPT_SECONDS)
    while (this.history.lastSecond < second) {
      this.history.push(heard ? sampleOf(this.#node.limit, this.#throttles) : null)
      this.#throttles = 0
    }
  }
}
