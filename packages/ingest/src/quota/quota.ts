import { type Clock, systemClock } from '@sluice/core'
import { TOLERANCE_MS } from '../retry-after.js'
import { checked, complete, type Fields } from '../settings.js'

/** What a {@link Quota} can be told. */
export interface QuotaOptions {
  /** Units that come back a second: requests, or rows. Default 5; fractions are fine. */
  ratePerSecond?: number | undefined
  /** Units that may be spent at once after a rest. Default 10. */
  burst?: number | undefined
  /** Pairs of token and data source that are remembered. Default 10 000. */
  maxKeys?: number | undefined
  /** Default: the system's. */
  clock?: Pick<Clock, 'now'> | undefined
}

const FIELDS = {
  ratePerSecond: [5, 'a number above 0'],
  burst: [10, 'a number of at least 1'],
  maxKeys: [10_000, 'an integer of at least 1'],
} as const satisfies Fields

/** What became of one request, and the figures that its answer states. */
export interface QuotaDecision {
  readonly isAdmitted: boolean
  /** Units that may be spent at once after a rest: `q` of `RateLimit-Policy`. */
  readonly burst: number
  /** Ms in which all of them come back: `w`. */
  readonly windowMs: number
  /** Whole units that could follow at once: `r` of `RateLimit`. */
  readonly remaining: number
  /** Ms until the whole burst is there again. */
  readonly resetMs: number
  /** Ms until as much could be asked for again; 0: now. Null: never, since it is more than the burst. */
  readonly retryAfterMs: number | null
}

/**
 * Requests or rows a second of each token at each data source (the first bound that an event meets, before I5). The
 * generic cell rate algorithm: one number a key, and no timer. A refused request costs nothing.
 *
 * Memory is bounded, and no name that somebody makes up gets anybody else forgotten: whoever finds no place shares one
 * quota with all others that found none. Give each tenant a `Quota` of its own.
 */
export class Quota {
  readonly #intervalMs: number
  readonly #burst: number
  readonly #maxKeys: number
  readonly #clock: Pick<Clock, 'now'>
  /** By key, when all that was spent will have come back. */
  readonly #spentUntilMs = new Map<string, number>()
  /** Of those that found no place. */
  #othersUntilMs = Number.NEGATIVE_INFINITY

  /** @throws TypeError that names the option, its value and what is allowed */
  constructor({ clock = systemClock, ...rest }: QuotaOptions = {}) {
    const { ratePerSecond, burst, maxKeys } = complete('Quota', FIELDS, rest, ['clock'])
    this.#intervalMs = 1000 / ratePerSecond
    this.#burst = burst
    this.#maxKeys = maxKeys
    this.#clock = clock
  }

  /** Keys in memory now. */
  get size(): number {
    return this.#spentUntilMs.size
  }

  /**
   * Spends `cost` units, or refuses.
   * @param tokenId what the token is known by, never the secret itself
   * @param cost units: 1 for a request, or its rows. Default 1.
   * @throws TypeError where the cost is no number of at least 0
   */
  take(tokenId: string, source: string, cost = 1): QuotaDecision {
    checked('Quota.take', 'cost', cost, 'a number of at least 0')
    const now = this.#clock.now()
    const key = JSON.stringify([tokenId, source]) // no choice of names makes two pairs one
    const hasPlace = this.#spentUntilMs.has(key) || this.#findsPlace(now)
    const known = hasPlace ? this.#spentUntilMs.get(key) : this.#othersUntilMs
    const windowMs = this.#burst * this.#intervalMs
    // What lies further off than a whole burst was written by a clock that has gone back since.
    const spentUntilMs = Math.max(now, Math.min(known ?? now, now + windowMs))
    const waitMs = spentUntilMs + cost * this.#intervalMs - windowMs - now
    if (waitMs > TOLERANCE_MS) {
      // Else each refusal would begin anew with the whole burst spent, and the wait that is stated would never end.
      if (known !== undefined && known > spentUntilMs) this.#spend(key, hasPlace, spentUntilMs)
      const retryAfterMs = cost > this.#burst ? null : waitMs
      return this.#decision(false, spentUntilMs - now, retryAfterMs)
    }
    const next = spentUntilMs + cost * this.#intervalMs
    this.#spend(key, hasPlace, next)
    const againMs = next + cost * this.#intervalMs - windowMs - now
    return this.#decision(true, next - now, againMs > TOLERANCE_MS ? againMs : 0)
  }

  #spend(key: string, hasPlace: boolean, untilMs: number): void {
    if (hasPlace) this.#spentUntilMs.set(key, untilMs)
    else this.#othersUntilMs = untilMs
  }

  #decision(isAdmitted: boolean, resetMs: number, retryAfterMs: number | null): QuotaDecision {
    const windowMs = this.#burst * this.#intervalMs
    const remaining = Math.max(0, Math.floor((windowMs - resetMs + TOLERANCE_MS) / this.#intervalMs))
    return { isAdmitted, burst: this.#burst, windowMs, remaining, resetMs, retryAfterMs }
  }

  /** A key whose quota has all come back says no more than none, so it is forgotten. Two looks for each that comes. */
  #findsPlace(now: number): boolean {
    for (let looks = 0; looks < 2; looks++) {
      const [oldest] = this.#spentUntilMs
      if (!oldest) break
      const [key, spentUntilMs] = oldest
      this.#spentUntilMs.delete(key)
      if (spentUntilMs > now) this.#spentUntilMs.set(key, spentUntilMs) // its turn comes again
    }
    return this.#spentUntilMs.size < this.#maxKeys
  }
}
