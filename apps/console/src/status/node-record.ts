import type { NodeStatus } from '@sluice/client'
import { History, KEPT_SECONDS, sampleOf } from './history.js'

/** A tab in the background is woken once a minute at least; one that was not woken for longer slept, and heard nothing. */
const ASLEEP_SECONDS = 90

/** One node: how it is, how it was, and what was noticed of it since the page was opened. */
export class NodeRecord {
  readonly history: History
  #node: NodeStatus
  #throttles = 0
  #throttlesSampled = 0

  /** @param second the one before the first sample */
  constructor(node: NodeStatus, second: number) {
    this.#node = node
    this.history = new History(second)
  }

  get node(): NodeStatus {
    return this.#node
  }

  /** Throttles that were noticed: the status counts none, but each lowers the throttle ceiling (L9). */
  get throttles(): number {
    return this.#throttles
  }

  update(node: NodeStatus): void {
    if (node.limit.throttle_ceiling < this.#node.limit.throttle_ceiling) this.#throttles += 1
    this.#node = node
  }

  /**
   * Adds what is missing up to a second. A status is told when it changes, so that what was told last held in between.
   * @param known whether there was a connection that would have told
   */
  sampleUntil(second: number, known: boolean): void {
    const missing = second - this.history.lastSecond
    const heard = known && missing <= ASLEEP_SECONDS
    // Whoever was asleep for longer than is kept need not go through all of it.
    if (missing > KEPT_SECONDS) this.history.restartAt(second - KEPT_SECONDS)
    while (this.history.lastSecond < second) {
      this.history.push(heard ? sampleOf(this.#node.limit, this.#throttles - this.#throttlesSampled) : null)
      this.#throttlesSampled = this.#throttles
    }
  }
}
