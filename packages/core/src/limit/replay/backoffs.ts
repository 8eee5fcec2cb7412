import type { Backoff } from './replay-result.js'

/** A trace may hold any number of them. */
const MOST = 1000

type Open = { -readonly [Field in keyof Backoff]: Backoff[Field] }

/** Watches a limit, and knows when it fell and when all of it was back. */
export class Backoffs {
  readonly #max: number
  #open: Open | null = null
  #latency = false
  #throttle = false
  readonly list: Backoff[] = []
  inAll = 0

  constructor(max: number) {
    this.#max = max
  }

  /** A ceiling fell; {@link see} is told what came of it. */
  fell(by: 'latency' | 'throttle'): void {
    if (by === 'latency') this.#latency = true
    else this.#throttle = true
  }

  /** The limit is this now. */
  see(limit: number, atMs: number): void {
    if (limit < this.#max) {
      this.#open ??= this.#begin(limit, atMs)
      this.#open.lowestLimit = Math.min(this.#open.lowestLimit, limit)
      this.#open.latency ||= this.#latency
      this.#open.throttle ||= this.#throttle
    } else if (this.#open !== null) {
      this.#open.untilMs = atMs
      this.#open = null
    }
    this.#latency = this.#throttle = false
  }

  #begin(lowestLimit: number, fromMs: number): Open {
    const open = { fromMs, untilMs: null, lowestLimit, latency: false, throttle: false }
    if (this.inAll++ < MOST) this.list.push(open)
    return open
  }
}
