import type { Linked } from './linked-list.js'
import type { Slot } from './slot.js'

/** Where a waiter stands in a queue. */
export interface QueuePlace extends Linked<QueuePlace> {
  readonly waiter: Waiter
}

/** What is known of a call when it begins to wait. */
export type Waiting = Pick<Waiter, 'deadlineMs' | 'heldBeforeMs' | 'maxHeldMs' | 'endsAtMs'>

const noop = (): void => {}

/** A call that waits for a slot. Small: there may be a hundred thousand of them. */
export class Waiter implements Linked<Waiter> {
  /** Counts up with each call that asks; a retry has its call's first one (L12). */
  readonly place: number
  resolve: (slot: Slot) => void = noop
  reject: (reason: unknown) => void = noop
  /** Takes its abort listener back. */
  unlink: () => void = noop
  /** Its neighbours among those who will time out. */
  before: Waiter | undefined = undefined
  after: Waiter | undefined = undefined
  /** For the queue's own use: where it stands there. */
  inQueue: QueuePlace | undefined = undefined
  /** When its time in the queue is over, were there no holds; what was held is added (L10). */
  readonly deadlineMs: number
  /** Time that had been held in all when it came. */
  readonly heldBeforeMs: number
  /** The call's own bounds; undefined: none. */
  readonly maxHeldMs: number | undefined
  readonly endsAtMs: number | undefined

  constructor(place: number, { deadlineMs, heldBeforeMs, maxHeldMs, endsAtMs }: Waiting) {
    this.place = place
    this.deadlineMs = deadlineMs
    this.heldBeforeMs = heldBeforeMs
    this.maxHeldMs = maxHeldMs
    this.endsAtMs = endsAtMs
  }

  /** Settles when it starts, or leaves. Once for each waiter. */
  promise(): Promise<Slot> {
    return new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }
}
