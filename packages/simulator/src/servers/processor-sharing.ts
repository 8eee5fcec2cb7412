import type { WorldEvent } from '../world/event-heap.js'
import type { World } from '../world/world.js'
import type { Cores } from './cores.js'
import { JobHeap } from './job-heap.js'

/** Less than this of work, in core-µs, is none: sums of fractions do not come out even. */
const NOTHING = 1e-3

/**
 * Cores that all jobs share evenly, none of them getting more than one (egalitarian processor sharing): what a database
 * does with queries of one thread each. A job is done when it has had its work. As all that run get the same, one number
 * says how much a job has had since the beginning of time, and a job ends when that number is its own goal.
 */
export class ProcessorSharing implements Cores {
  readonly #world: World
  readonly #jobs = new JobHeap()
  #cores: number
  #speed = 1
  /** Core-µs that a job which was always there would have had. */
  #attained = 0
  #attainedAtUs = 0
  #busyCoreUs = 0
  #wake: WorldEvent | null = null

  constructor(world: World, cores: number) {
    this.#world = world
    this.#cores = cores
  }

  get count(): number {
    return this.#cores
  }

  /** Core-µs used until now. */
  get busyCoreUs(): number {
    this.#advance()
    return this.#busyCoreUs
  }

  run(workUs: number, done: () => void): void {
    this.#advance()
    this.#jobs.push({ goal: this.#attained + workUs, done })
    this.#plan()
  }

  change({ cores = this.#cores, speed = this.#speed }: { cores?: number; speed?: number }): void {
    this.#advance()
    this.#cores = cores
    this.#speed = speed
    this.#plan()
  }

  drop(): void {
    this.#advance()
    this.#jobs.clear()
  }

  /** What one job gets now: core-µs in a µs. */
  get #rate(): number {
    return this.#speed * Math.min(1, this.#cores / this.#jobs.size)
  }

  #advance(): void {
    const passedUs = this.#world.nowUs - this.#attainedAtUs
    if (passedUs === 0) return
    this.#attainedAtUs = this.#world.nowUs
    if (this.#jobs.size === 0) return
    this.#attained += passedUs * this.#rate
    this.#busyCoreUs += passedUs * Math.min(this.#cores, this.#jobs.size)
  }

  /** Plans the next end of a job. A plan that comes too early is looked at then, which costs less than to move it. */
  #plan(): void {
    const { next } = this.#jobs
    if (next === undefined || this.#rate === 0) return
    const dueUs = Math.ceil(this.#world.nowUs + Math.max(0, next.goal - this.#attained) / this.#rate)
    if (this.#wake !== null) {
      if (this.#wake.atUs <= dueUs) return
      this.#wake.fire = null
    }
    this.#wake = this.#world.at(dueUs, this.#finish)
  }

  readonly #finish = (): void => {
    this.#wake = null
    this.#advance()
    const ended = []
    for (let { next } = this.#jobs; next && next.goal - this.#attained < NOTHING; { next } = this.#jobs) {
      this.#jobs.pop()
      ended.push(next)
    }
    for (const job of ended) job.done()
    this.#plan()
  }
}
