/** Sizes of a {@link RetryBudget}. */
export interface RetryBudgetOptions {
  /** Most tokens held, and held at the start. Default 10. */
  capacity?: number
  /** Tokens added for each call begun. Default 0.1: one retry for ten calls. */
  perCall?: number
  /** Tokens added each second. Default 1, so that a quiet client can still retry. */
  perSecond?: number
}

/**
 * Bounds the retries of many calls together, so that a failing server does not meet several times its load (R16).
 * Share one among the calls to one server. It counts retries of transient failures; throttles are paced otherwise.
 */
export class RetryBudget {
  readonly #capacity: number
  readonly #perCall: number
  readonly #perSecond: number
  /** In thousandths, so that ten tenths are one. */
  #thousandths: number
  #atMs: number | undefined

  /** @throws TypeError where a size is negative or no finite number */
  constructor({ capacity = 10, perCall = 0.1, perSecond = 1 }: RetryBudgetOptions = {}) {
    for (const [field, value] of Object.entries({ capacity, perCall, perSecond }))
      if (!(Number.isFinite(value) && value >= 0))
        throw new TypeError(`RetryBudget: ${field} must be a number of at least 0; got ${value}`)
    this.#capacity = this.#thousandths = Math.round(capacity * 1000)
    this.#perCall = Math.round(perCall * 1000)
    this.#perSecond = perSecond
  }

  /** Tokens held at `nowMs`, on the monotonic clock of the calls that share this budget. */
  tokens(nowMs: number): number {
    this.#add((nowMs - (this.#atMs ?? nowMs)) * this.#perSecond)
    this.#atMs = Math.max(nowMs, this.#atMs ?? nowMs)
    return this.#thousandths / 1000
  }

  /** A call begins. */
  begin(nowMs: number): void {
    this.tokens(nowMs)
    this.#add(this.#perCall)
  }

  /** Takes the token of one retry; ask {@link tokens} first. */
  take(nowMs: number): void {
    this.tokens(nowMs)
    this.#thousandths -= 1000
  }

  #add(thousandths: number): void {
    this.#thousandths = Math.min(this.#capacity, this.#thousandths + Math.max(0, thousandths))
  }
}
