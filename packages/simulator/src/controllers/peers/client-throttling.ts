/** How far back it looks. */
const HISTORY_MS = 120_000
const SLICES = 120

/**
 * Client-side throttling (Beyer et al., Site Reliability Engineering, chapter 21): a client whose requests are refused
 * refuses some itself, with probability max(0, (requests − K · accepts) / (requests + 1)) over the last two minutes.
 */
export class ClientThrottling {
  readonly #factor: number
  readonly #requests = new Float64Array(SLICES)
  readonly #accepts = new Float64Array(SLICES)
  #slice = 0
  #allRequests = 0
  #allAccepts = 0

  /** @param factor K: 2 lets twice as many through as are accepted */
  constructor(factor = 2) {
    this.#factor = factor
  }

  /** Probability with which a request is refused before it is sent. */
  rejects(nowMs: number): number {
    this.#move(nowMs)
    return rejectionProbability(this.#allRequests, this.#allAccepts, this.#factor)
  }

  /** Somebody wanted to send: counts also where it was refused here. */
  requested(nowMs: number): void {
    this.#move(nowMs)
    this.#allRequests++
    this.#requests[this.#slice % SLICES] = (this.#requests[this.#slice % SLICES] ?? 0) + 1
  }

  accepted(nowMs: number): void {
    this.#move(nowMs)
    this.#allAccepts++
    this.#accepts[this.#slice % SLICES] = (this.#accepts[this.#slice % SLICES] ?? 0) + 1
  }

  #move(nowMs: number): void {
    const slice = Math.floor(nowMs / (HISTORY_MS / SLICES))
    if (slice - this.#slice >= SLICES) this.#slice = slice - SLICES
    while (this.#slice < slice) {
      const at = ++this.#slice % SLICES
      this.#allRequests -= this.#requests[at] ?? 0
      this.#allAccepts -= this.#accepts[at] ?? 0
      this.#requests[at] = 0
      this.#accepts[at] = 0
    }
  }
}

/** Equation 21-1 of that chapter. */
export const rejectionProbability = (requests: number, accepts: number, factor: number): number =>
  Math.max(0, (requests - factor * accepts) / (requests + 1))
