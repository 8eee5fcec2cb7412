import type { World } from '../world/world.js'
import type { Cores } from './cores.js'

interface Waiting {
  readonly workUs: number
  readonly done: () => void
}

/** Cores that take one job each, in the order in which they came: M/M/c where arrivals and work are exponential. */
export class FirstInFirstOut implements Cores {
  readonly #world: World
  #cores: number
  #speed = 1
  #busy = 0
  /** Those that wait, from `#head` on. */
  #waiting: Waiting[] = []
  #head = 0
  #era = 0
  #busyCoreUs = 0
  #countedAtUs = 0

  constructor(world: World, cores: number) {
    this.#world = world
    this.#cores = cores
  }

  get count(): number {
    return this.#cores
  }

  get busyCoreUs(): number {
    this.#count()
    return this.#busyCoreUs
  }

  run(workUs: number, done: () => void): void {
    this.#waiting.push({ workUs, done })
    this.#pump()
  }

  /** What runs already goes on at the speed at which it began. */
  change({ cores = this.#cores, speed = this.#speed }: { cores?: number; speed?: number }): void {
    this.#count()
    this.#cores = cores
    this.#speed = speed
    this.#pump()
  }

  drop(): void {
    this.#count()
    this.#busy = 0
    this.#waiting = []
    this.#head = 0
    this.#era++
  }

  #pump(): void {
    while (this.#busy < this.#cores && this.#speed > 0) {
      const job = this.#waiting[this.#head]
      if (job === undefined) break
      this.#head++
      this.#count()
      this.#busy++
      const era = this.#era
      this.#world.at(this.#world.nowUs + job.workUs / this.#speed, () => {
        if (era !== this.#era) return // dropped
        this.#count()
        this.#busy--
        this.#pump()
        job.done()
      })
    }
    if (this.#head > 1024 && this.#head * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#head)
      this.#head = 0
    }
  }

  #count(): void {
    this.#busyCoreUs += (this.#world.nowUs - this.#countedAtUs) * this.#busy
    this.#countedAtUs = this.#world.nowUs
  }
}
