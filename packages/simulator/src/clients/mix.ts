import type { Stream } from '../random/stream.js'
import type { World } from '../world/world.js'
import type { PlannedCall } from './client.js'

/** One kind of call. */
export interface WorkClass {
  readonly name: string
  /** Of the calls; all shares together are 1. */
  readonly share: number
  /** Mean of its work, in core-ms. */
  readonly meanMs: number
  /** Standard deviation of its logarithm; 0: all the same. */
  readonly sigma: number
}

/** Draws the kind and the work of one call after another. */
export class Mix {
  readonly #classes: readonly WorkClass[]
  readonly #kinds: Stream
  readonly #sizes: Stream
  #shares: readonly number[]

  /** @param name before those of its streams; two mixes of one world draw on their own */
  constructor(world: World, classes: readonly WorkClass[], name = '') {
    this.#classes = classes
    this.#shares = classes.map(({ share }) => share)
    this.#kinds = world.stream(`${name}kinds`)
    this.#sizes = world.stream(`${name}sizes`)
  }

  /** @param shares of the classes from now on, in their order */
  change(shares: readonly number[]): void {
    this.#shares = shares
  }

  /** @param tenant whose call it is */
  next(tenant: number): PlannedCall {
    const { name = '', meanMs = 0, sigma = 0 } = this.#classes[this.#draw()] ?? {}
    // Whole µs: engines may differ in the last digit of an exponential, and what is compared must not.
    return { tenant, kind: name, workMs: Math.max(1, Math.round(this.#sizes.lognormal(meanMs, sigma) * 1000)) / 1000 }
  }

  /** One number is drawn whatever the shares are, so that a changed mix moves no other number. */
  #draw(): number {
    const last = this.#classes.length - 1
    if (last <= 0) return 0
    let left = this.#kinds.next()
    for (let at = 0; at < last; at++) {
      left -= this.#shares[at] ?? 0
      if (left < 0) return at
    }
    return last
  }
}
