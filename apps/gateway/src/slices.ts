import { FairLine } from './fair-line.js'

/** So long something may work without a break. */
const SLICE_MS = 10
/** The clock is looked at after so many units of work: bytes, and for each row what it costs beside them. */
const LOOK_EVERY = 4096
const ROW_UNITS = 64

/**
 * Work that takes long, in slices: in a turn of the event loop one of all that is under way has one, owners after one
 * another. So whoever asks for something small waits for a slice or two, whatever others have sent.
 */
export class Slices {
  readonly #nowMs: () => number
  readonly #line = new FairLine<() => void>()
  /** When the slice of this turn of the event loop began; undefined: nothing has worked in it. */
  #sinceMs: number | undefined
  #isScheduled = false

  /** @param nowMs milliseconds on any steady clock */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Something that one owner has done. */
  work(owner: string): SlicedWork {
    return new SlicedWork(this, owner)
  }

  /** Whether there has been work enough in this turn of the event loop. */
  get isOver(): boolean {
    const now = this.#nowMs()
    if (this.#sinceMs === undefined) {
      this.#sinceMs = now
      this.#schedule()
    }
    return now - this.#sinceMs >= SLICE_MS
  }

  /** Fulfils with the owner's next slice. */
  next(owner: string): Promise<void> {
    return new Promise((resolve) => {
      this.#line.push(owner, resolve)
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#sinceMs = undefined
      this.#line.next()?.item()
      if (!this.#line.isEmpty) this.#schedule()
    })
  }
}

/** One piece of such work. */
export class SlicedWork {
  readonly #slices: Slices
  readonly #owner: string
  #units = 0

  constructor(slices: Slices, owner: string) {
    this.#slices = slices
    this.#owner = owner
  }

  /** @param bytes of a row that was worked on @returns whether a break is due: cheap, so that it can be asked at each row */
  isDue(bytes: number): boolean {
    this.#units += bytes + ROW_UNITS
    if (this.#units < LOOK_EVERY) return false
    this.#units = 0
    return this.#slices.isOver
  }

  /** Fulfils when it may go on. */
  pause(): Promise<void> {
    return this.#slices.next(this.#owner)
  }
}
