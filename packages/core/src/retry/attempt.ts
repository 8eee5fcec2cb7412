/** One send, as the operation sees it. */
export interface Attempt {
  /** 1 for the first. */
  readonly attempt: number
  /** Aborts when the caller does, when the attempt times out, when the deadline passes, and when a failed attempt's wait is over. */
  readonly signal: AbortSignal
  /** Aborts `signal`, for instance to cut a body that is still streaming after the operation returned. */
  abort(reason: unknown): void
}

/** One for all: a stack trace for each would cost more than the rest of the loop. */
let over: DOMException | undefined

/** Makes its controller only when somebody asks for the signal: many operations never do. */
export class LazyAttempt implements Attempt {
  readonly attempt: number
  #made: AbortController | undefined

  constructor(attempt: number) {
    this.attempt = attempt
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
}
