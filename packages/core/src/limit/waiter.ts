import type { Hold } from './hold.js'
import type { Linked } from './linked-list.js'
import type { AcquireOptions } from './semaphore-options.js'
import type { Slot } from './slot.js'

/** Where a waiter stands in a queue. */
export interface QueuePlace extends Linked<QueuePlace> {
  readonly waiter: Waiter
}

const noop = (): void => {}

/** A call that waits for a slot. Small: there may be a hundred thousand of them. */
export class Waiter implements Linked<Waiter> {
  /** The call's own bounds are in it. */
  readonly options: AcquireOptions
  /** Counts up with each call that asks; a retry has its call's first one (L12). */
  readonly place: number
  /** When it came. */
  readonly sinceMs: number
  /** Time that had been held in all when it came. */
  readonly heldBeforeMs: number
  resolve: (slot: Slot) => void = noop
  reject: (reason: unknown) => void = noop
  /** Takes its abort listener back. */
  unlink: () => void = noop
  /** Its neighbours among those who will time out. */
  before: Waiter | undefined = undefined
  after: Waiter | undefined = undefined
  /** For the queue's own use: where it stands there. */
  inQueue: QueuePlace | undefined = undefined

  constructor(options: AcquireOptions, place: number, sinceMs: number, heldBeforeMs: number) {
    this.options = options
    this.place = place
    this.sinceMs = sinceMs
    this.heldBeforeMs = heldBeforeMs
  }

  /** How long it has been held so far, in ms. */
  heldMs(hold: Hold, now: number): number {
    return hold.heldMs(now) - this.heldBeforeMs
  }

  /** How long it has waited so far, holds left out, in ms. */
  waitedMs(hold: Hold, now: number): number {
    return now - this.sinceMs - this.heldMs(hold, now)
  }

  /** Settles when it starts, or leaves. Once for each waiter. */
  promise(): Promise<Slot> {
    return new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }
}
