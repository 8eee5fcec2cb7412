import { Shares } from '../shares.js'

/** How many streams may be open at once. */
export interface StreamLimits {
  readonly perToken: number
  /** Of all its tokens. */
  readonly perTenant: number
  readonly inAll: number
}

/** Whose stream it is. */
export interface StreamOwner {
  readonly name: string
  readonly tenant: string
}

/** Counts the streams that are open: each holds a socket for as long as its client likes, and costs one of the quota. */
export class StreamPlaces {
  readonly #ofTokens: Shares
  readonly #ofTenants: Shares

  constructor({ perToken, perTenant, inAll }: StreamLimits) {
    this.#ofTokens = new Shares({ perOwner: perToken, inAll: Number.POSITIVE_INFINITY })
    this.#ofTenants = new Shares({ perOwner: perTenant, inAll })
  }

  /** @returns what gives the place back, once however often it is called; or what there is too many of */
  take({
    name,
    tenant,
  }: StreamOwner): (() => void) | { readonly full: 'token' | 'tenant' | 'gateway'; readonly most: number } {
    const { perOwner, inAll } = this.#ofTenants.limits
    if (this.#ofTokens.take(name) !== undefined) return { full: 'token', most: this.#ofTokens.limits.perOwner }
    const full = this.#ofTenants.take(tenant)
    if (full !== undefined) {
      this.#ofTokens.give(name)
      return full === 'owner' ? { full: 'tenant', most: perOwner } : { full: 'gateway', most: inAll }
    }
    let taken = true
    return () => {
      if (!taken) return
      taken = false
      this.#ofTokens.give(name)
      this.#ofTenants.give(tenant)
    }
  }
}
