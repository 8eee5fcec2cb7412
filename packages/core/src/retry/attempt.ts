import type { Slot } from '../limit/slot.js'

/** One send, as the operation sees it. */
export interface Attempt {
  /** 1 for the first. */
  readonly attempt: number
  /** Aborts when the caller does, when the attempt times out, when the deadline passes, and when a failed attempt's wait is over. */
  readonly signal: AbortSignal
  /** Aborts `signal`, for instance to cut a body that is still streaming after the operation returned. */
  abort(reason: unknown): void
  /**
   * Takes over the slot of this attempt, which else ends with the operation: whoever took it must release it, for
   * instance at the end of a body that is still streaming (L12). An attempt that failed releases it in any case.
   * @returns undefined where there is no limiter
   */
  keepSlot(): Slot | undefined
}

/** One for all: a stack trace for each would cost more than the rest of the loop. */
let over: DOMException | undefined

/** Makes its controller only when somebody asks for the signal: many operations never do. */
export class LazyAttempt implements Attempt {
  readonly attempt: number
  readonly slot: Slot | undefined
  #kept = false
  #made: AbortController | undefined

  constructor(attempt: number, slot: Slot | undefined) {
    this.attempt = attempt
    this.slot = slot
  }

  get #controller(): AbortController {
    this.#made ??= new AbortController()
    return this.#made
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Aborts what a failed attempt may have left running. */
  finish(): void {
    over ??= new DOMException('the attempt is over', 'AbortError')
    this.abort(over)
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason)
  }

  keepSlot(): Slot | undefined {
    this.#kept = true
    return this.slot
  }

  /** Gives the slot back, unless the operation took it over. */
  settle(): void {
    if (!this.#kept) this.slot?.release()
  }
}
