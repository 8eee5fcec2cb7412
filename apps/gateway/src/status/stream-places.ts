/** How many streams may be open at once. */
export interface StreamLimits {
  readonly perToken: number
  readonly inAll: number
}

/** Counts the streams that are open: each holds a socket for as long as its client likes, and costs one of the quota. */
export class StreamPlaces {
  readonly #limits: StreamLimits
  readonly #byToken = new Map<string, number>()
  #inAll = 0

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  /** @returns what gives the place back, once however often it is called; or what there is too many of */
  take(token: string): (() => void) | { readonly full: 'token' | 'gateway'; readonly most: number } {
    const { perToken, inAll } = this.#limits
    const open = this.#byToken.get(token) ?? 0
    if (open >= perToken) return { full: 'token', most: perToken }
    if (this.#inAll >= inAll) return { full: 'gateway', most: inAll }
    this.#byToken.set(token, open + 1)
    this.#inAll += 1
    let taken = true
    return () => {
      if (taken) this.#giveBack(token)
      taken = false
    }
  }

  #giveBack(token: string): void {
    this.#inAll -= 1
    const open = (this.#byToken.get(token) ?? 0) - 1
    if (open > 0) this.#byToken.set(token, open)
    else this.#byToken.delete(token)
  }
}
