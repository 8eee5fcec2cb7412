import { decideGcra, type GcraDecision, type GcraLimit, type GcraState } from './gcra.js'

/** Where and how long quota states are kept. */
export interface QuotaStoreOptions {
  /** Milliseconds on any steady clock. */
  readonly nowMs: () => number
  /** States kept at most. Default 10 000. */
  readonly maxStates?: number
}

/**
 * The quota of every caller, in bounded memory. A state whose quota has all come back says no more than no state at
 * all, so those are dropped first; only when every caller is in debt does the one with the least debt lose it.
 */
export class QuotaStore {
  readonly #states = new Map<string, GcraState>()
  readonly #nowMs: () => number
  readonly #maxStates: number

  constructor(options: QuotaStoreOptions) {
    this.#nowMs = options.nowMs
    this.#maxStates = options.maxStates ?? 10_000
  }

  /** States in memory now. */
  get size(): number {
    return this.#states.size
  }

  /** Spends one request of `key`, or refuses it. */
  take(key: string, limit: GcraLimit): GcraDecision {
    const nowMs = this.#nowMs()
    const decision = decideGcra(this.#states.get(key), nowMs, limit)
    if (!this.#states.has(key) && this.#states.size >= this.#maxStates) this.#makeRoom(nowMs)
    this.#states.set(key, decision.state)
    return decision
  }

  #makeRoom(nowMs: number): void {
    let leastDebt: { key: string; tatMs: number } | undefined
    for (const [key, { tatMs }] of this.#states) {
      if (tatMs <= nowMs) this.#states.delete(key)
      else if (leastDebt === undefined || tatMs < leastDebt.tatMs) leastDebt = { key, tatMs }
    }
    if (leastDebt !== undefined && this.#states.size >= this.#maxStates) this.#states.delete(leastDebt.key)
  }
}
