import type { World } from '../world/world.js'
import type { Answer } from './answer.js'
import type { Cores } from './cores.js'
import { type Entry, Inside } from './inside.js'
import type { Throttle } from './throttle.js'

/** How a server takes what comes. */
export interface ServerOptions {
  readonly cores: Cores
  /** Attempts in it at most; one more is answered 503 at once. null: any number. */
  readonly queue?: number | null
  /** Refuses what comes faster than this. null: nothing. */
  readonly throttle?: Throttle | null
  /** Time on the network, there and back, in ms. */
  readonly networkMs?: number
}

/** One attempt that is sent to it. */
export interface Attempted {
  /** Core-ms that it needs. */
  readonly workMs: number
}

/** A server: it answers each attempt once, later, and works on what it took whether or not somebody still waits. */
export class Server {
  readonly #world: World
  readonly #options: ServerOptions
  readonly #inside = new Inside()
  #down = false
  /** How much more work everything is: a cold cache. */
  #workFactor = 1

  constructor(world: World, options: ServerOptions) {
    this.#world = world
    this.#options = options
  }

  get cores(): Cores {
    return this.#options.cores
  }

  /** Attempts that it works on. */
  get inside(): number {
    return this.#inside.size
  }

  send({ workMs }: Attempted, answered: (answer: Answer) => void): void {
    const refusal = this.#refusal()
    if (refusal) {
      this.#reply(answered, refusal)
      return
    }
    const entry = this.#inside.add(this.#world.nowUs, answered)
    this.#options.cores.run(workMs * 1000 * this.#workFactor, () => this.#done(entry))
  }

  #done(entry: Entry): void {
    if (!this.#inside.remove(entry)) return // it broke in the meantime
    const elapsedMs = (this.#world.nowUs - entry.arrivedUs) / 1000
    this.#reply(entry.answered, { kind: 'status', status: 200, retryAfterMs: null, elapsedMs })
  }

  #reply(answered: (answer: Answer) => void, answer: Answer): void {
    const { networkMs = 0 } = this.#options
    if (networkMs === 0) answered(answer)
    else this.#world.at(this.#world.nowUs + networkMs * 1000, () => answered(answer))
  }

  /** What it answers at once; undefined: it lets the attempt in. */
  #refusal(): Answer | undefined {
    const { queue = null, throttle } = this.#options
    if (this.#down) return { kind: 'connect' }
    const throttled = throttle?.refuses(this.#world.now())
    if (throttled) return { kind: 'status', status: 429, retryAfterMs: throttled.retryAfterMs, elapsedMs: 0 }
    if (queue === null || this.#inside.size < queue) return undefined
    return { kind: 'status', status: 503, retryAfterMs: null, elapsedMs: 0 }
  }

  /** What runs is lost, and nobody can connect. */
  crash(): void {
    this.#down = true
    this.#options.cores.drop()
    for (const { answered } of this.#inside.clear()) this.#reply(answered, { kind: 'reset' })
  }

  restart(): void {
    this.#down = false
  }

  /** @param factor 3: everything is three times the work */
  setWorkFactor(factor: number): void {
    this.#workFactor = factor
  }

  /** @param factor 1.01: everything is a hundredth more work than it was */
  growWork(factor: number): void {
    this.#workFactor *= factor
  }
}
