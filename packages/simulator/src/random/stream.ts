import { normalQuantile } from './normal.js'
import { philox } from './philox.js'

/**
 * One of a world's named streams of random numbers. Streams of one seed share nothing: what arrives is the same whatever
 * a controller draws for its own use, and the n-th request has the same size for each controller that is compared.
 */
export class Stream {
  readonly #key: number
  #drawn = 0

  constructor(seed: number, name: string) {
    this.#key = hash(`${seed}/${name}`)
  }

  /** Uniform in [0, 1). */
  next(): number {
    const at = this.#drawn++
    return philox(this.#key, at >>> 0, Math.floor(at / 2 ** 32))
  }

  /** Exponential with this mean: the time between two events of a Poisson process. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next())
  }

  /** Lognormal with this mean, and this standard deviation of its logarithm. */
  lognormal(mean: number, sigma: number): number {
    const p = (this.next() * 2 ** 53 + 0.5) / (2 ** 53 + 1) // neither 0 nor 1
    return mean * Math.exp(sigma * normalQuantile(p) - (sigma * sigma) / 2)
  }
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return sum >>> 0
}
