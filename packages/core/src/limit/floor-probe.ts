/** Windows at the floor before it is asked whether that helps: what passes by itself is over by then (L21). */
const AT_FLOOR = 6
/** Windows that the asking takes. */
const WINDOWS = 3
/** Windows until it is asked again. */
const PAUSE = 60
/** Slower than this by the probe: so the load is what slows it down. */
const SLOWER = 1.15

/** What the ceiling is to do: nothing, open, go back to its floor, or stay open since it is not the load. */
export type ProbeStep = 'none' | 'open' | 'close' | 'accept'

/**
 * At the floor, and the backend is as slow as before: is it us at all? Opens the ceiling for a moment and looks whether that
 * makes the backend slower (L21).
 */
export class FloorProbe {
  #atFloor = 0
  #probing = 0
  #pause = 0
  #floorMs = 0
  #openMs = 0
  /** p90 of the window before. */
  #lastMs = 0

  /** @param pinned whether the ceiling is at its floor, and the backend slow all the same */
  windowClosed(p90Ms: number, pinned: boolean): ProbeStep {
    if (this.#probing > 0) {
      // The first window still has what began before.
      if (--this.#probing < WINDOWS - 1) this.#openMs += p90Ms / (WINDOWS - 1)
      if (this.#probing > 0) return 'open'
      if (this.#openMs < this.#floorMs * SLOWER) return 'accept'
      this.#pause = PAUSE
      return 'close'
    }
    this.#pause--
    this.#atFloor = pinned ? this.#atFloor + 1 : 0
    this.#floorMs = (this.#lastMs + p90Ms) / 2
    this.#lastMs = p90Ms
    if (this.#atFloor < AT_FLOOR || this.#pause > 0) return 'none'
    this.#atFloor = this.#openMs = 0
    this.#probing = WINDOWS
    return 'open'
  }

  /** The present was accepted by somebody else: there is nothing to find out any more. */
  reset(): void {
    this.#atFloor = this.#probing = 0
  }
}
