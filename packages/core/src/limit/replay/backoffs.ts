import type { Backoff, BackoffAsk } from './replay-result.js'

/** A trace may hold any number of them; of what was asked, so many in all. */
const MOST = 1000

type Open = { -readonly [Field in keyof Omit<Backoff, 'asks'>]: Backoff[Field] } & { readonly asks: BackoffAsk[] }
type OpenAsk = { -readonly [Field in keyof BackoffAsk]: BackoffAsk[Field] }

/** Watches a limit, and knows when it fell, when it asked whether it is us (L21), and when all of it was back. */
export class Backoffs {
  readonly #max: number
  #open: Open | null = null
  #ask: OpenAsk | null = null
  #latency = false
  #throttle = false
  #accepted = false
  readonly list: Backoff[] = []
  inAll = 0
  asksInAll = 0

  constructor(max: number) {
    this.#max = max
  }

  /** A ceiling fell; {@link see} is told what came of it. */
  fell(by: 'latency' | 'throttle'): void {
    if (by === 'latency') this.#latency = true
    else this.#throttle = true
  }

  /** L21: it is not us, and the present was taken for the ordinary; {@link see} is told when. */
  accepted(): void {
    this.#accepted = true
  }

  /** The limit is this now. @param isAsking whether its ceiling is open to ask (L21): then nothing is back yet */
  see(limit: number, isAsking: boolean, atMs: number): void {
    if (limit < this.#max || isAsking) {
      this.#open ??= this.#begin(limit, atMs)
      this.#open.lowestLimit = Math.min(this.#open.lowestLimit, limit)
      this.#open.latency ||= this.#latency
      this.#open.throttle ||= this.#throttle
    }
    this.#asks(isAsking, atMs)
    if (limit === this.#max && !isAsking && this.#open !== null) {
      this.#open.untilMs = atMs
      this.#open = null
    }
    this.#latency = this.#throttle = this.#accepted = false
  }

  #asks(isAsking: boolean, atMs: number): void {
    if (isAsking && this.#ask === null) {
      this.#ask = { fromMs: atMs, untilMs: null, accepted: null }
      if (this.asksInAll++ < MOST) this.#open?.asks.push(this.#ask)
    } else if (!isAsking && this.#ask !== null) {
      this.#ask.untilMs = atMs
      this.#ask.accepted = this.#accepted
      this.#ask = null
    }
  }

  #begin(lowestLimit: number, fromMs: number): Open {
    const open: Open = { fromMs, untilMs: null, lowestLimit, latency: false, throttle: false, asks: [] }
    if (this.inAll++ < MOST) this.list.push(open)
    return open
  }
}
