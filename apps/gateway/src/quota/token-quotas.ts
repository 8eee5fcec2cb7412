import { Quota, type QuotaDecision } from '@sluice/ingest'
import type { CheckedTokens } from '../auth/token-options.js'
import type { TokenIdentity } from '../auth/token-store.js'

/** The quota of requests of every token, by its plan. They are in memory: a restart begins them anew. */
export class TokenQuotas {
  /** By plan, with a place for each token, so that none shares with another. */
  readonly #byPlan: ReadonlyMap<string, Quota>

  /** @param nowMs milliseconds on any steady clock */
  constructor({ plans, tokens }: CheckedTokens, nowMs: () => number) {
    const maxKeys = tokens.length
    const clock = { now: nowMs }
    this.#byPlan = new Map(Object.entries(plans).map(([name, plan]) => [name, new Quota({ ...plan, maxKeys, clock })]))
  }

  /** Spends one request of a token, or refuses it. */
  take({ name, planName }: TokenIdentity): QuotaDecision {
    const quota = this.#byPlan.get(planName)
    if (quota === undefined) throw new Error(`There is no plan "${planName}".`) // never: tokens are checked against plans
    return quota.take(name, '')
  }
}
