import type { AttemptReport } from './report.js'

/** Who lends slots. */
export interface SlotOwner {
  release(nowMs?: number): void
  /** @param waitedMs how long the slot's call had waited for it, in ms */
  report(report: AttemptReport, nowMs: number | undefined, waitedMs: number): void
}

/** The right to have one call in flight, until it is given back (L12). */
export class Slot {
  readonly #owner: SlotOwner
  /** The call's place in the queue; a retry keeps it. */
  readonly place: number
  /** When it was lent, in ms on the limiter's clock. */
  readonly sinceMs: number
  /** How long the call was held before it got the slot, in ms: counts as waited (L10). */
  readonly heldMs: number
  /** How long it waited for it in the queue, holds left out, in ms. */
  readonly waitedMs: number
  #released = false
  #reported = false

  constructor(owner: SlotOwner, place: number, sinceMs: number, heldMs: number, waitedMs = 0) {
    this.#owner = owner
    this.place = place
    this.sinceMs = sinceMs
    this.heldMs = heldMs
    this.waitedMs = waitedMs
  }

  /** Whether the attempt's end was reported through this slot. */
  get reported(): boolean {
    return this.#reported
  }

  /**
   * Tells the limiter how the attempt ended. It frees nothing.
   * @param nowMs the time on the limiter's clock, where it has just been read: reading it again costs more than all else
   */
  report(report: AttemptReport, nowMs?: number): void {
    this.#reported = true
    this.#owner.report(report, nowMs, this.waitedMs)
  }

  /**
   * Gives it back. Twice is once.
   * @param nowMs as of {@link report}
   */
  release(nowMs?: number): void {
    if (this.#released) return
    this.#released = true
    this.#owner.release(nowMs)
  }
}
