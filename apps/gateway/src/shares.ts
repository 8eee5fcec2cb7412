/** How much there is of something, and how much of it one owner may have. */
export interface ShareLimits {
  readonly perOwner: number
  readonly inAll: number
}

/** Something of which there is so much for all, and of which nobody has more than a share: one who takes theirs leaves the rest. */
export class Shares {
  readonly limits: ShareLimits
  readonly #byOwner = new Map<string, number>()
  #taken = 0

  constructor(limits: ShareLimits) {
    this.limits = limits
  }

  /** @returns undefined: it is taken; else what there is not enough left of, and nothing was taken */
  take(owner: string, amount = 1): 'owner' | 'all' | undefined {
    const own = this.#byOwner.get(owner) ?? 0
    if (own + amount > this.limits.perOwner) return 'owner'
    if (this.#taken + amount > this.limits.inAll) return 'all'
    this.#byOwner.set(owner, own + amount)
    this.#taken += amount
    return undefined
  }

  /** Gives back some of what was taken. */
  give(owner: string, amount = 1): void {
    this.#taken -= amount
    const left = (this.#byOwner.get(owner) ?? 0) - amount
    if (left > 0) this.#byOwner.set(owner, left)
    else this.#byOwner.delete(owner)
  }
}
