import type { Link } from './linked-list.js'
import type { Slot } from './slot.js'

/** A call that waits for a slot. */
export interface Waiter {
  /** Counts up with each call that asks; a retry has its call's first one (L12). */
  readonly place: number
  resolve(slot: Slot): void
  reject(reason: unknown): void
  /** Takes its abort listener back. */
  unlink(): void
  /** For the queue's own use. */
  inQueue: Link<Waiter> | undefined
  /** Where it stands among those who will time out. */
  byDeadline: Link<Waiter> | undefined
  /** When its time in the queue is over, were there no holds; what was held is added (L10). */
  readonly deadlineMs: number
  /** Time that had been held in all when it came. */
  readonly heldBeforeMs: number
  readonly maxHeldMs: number
  readonly endsAtMs: number
}
