import type { AttemptReport } from './report.js'

/** Who lends slots. */
export interface SlotOwner {
  release(nowMs?: number): void
  report(report: AttemptReport, nowMs?: number): void
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
  #released = false
  #reported = false

  constructor(owner: SlotOwner, place: number, sinceMs: number, heldMs: number) {
    this.#owner = owner
    this.place = place
    this.sinceMs = sinceMs
    this.heldMs = heldMs
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
    this.#owner.report(report, nowMs)
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
