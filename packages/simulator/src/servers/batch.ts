import type { Stream } from '../random/stream.js'
import type { World } from '../world/world.js'
import type { Cores } from './cores.js'

/** Background work on the cores that answer queries: imports, merges, the nightly report. */
export interface BatchOptions {
  /** Cores' worth of work that comes in. */
  readonly cores: number
  /** Core-ms of one job. */
  readonly jobMs: number
  /** Jobs that run at once at most; the others wait for their turn. */
  readonly cap: number
}

/** Told of each job that ended. */
export type JobEnded = (job: { readonly startedMs: number; readonly endedMs: number; readonly workMs: number }) => void

/** Batch jobs of one kind, from the moment it is started until it is stopped. */
export class Batch {
  readonly #world: World
  readonly #cores: Cores
  readonly #options: BatchOptions
  readonly #ended: JobEnded
  readonly #gaps: Stream
  #running = 0
  #waiting = 0
  #on = false
  #era = 0

  constructor(world: World, cores: Cores, { options, ended }: { options: BatchOptions; ended: JobEnded }) {
    this.#world = world
    this.#cores = cores
    this.#options = options
    this.#ended = ended
    this.#gaps = world.stream('batch')
  }

  get running(): number {
    return this.#running
  }

  start(): void {
    this.#on = true
    this.#arrive()
  }

  /** No more jobs come; those that came are done. */
  stop(): void {
    this.#on = false
  }

  /** The server crashed: jobs begin anew, from their start. */
  restart(): void {
    this.#era++
    this.#waiting += this.#running
    this.#running = 0
    this.#pump()
  }

  /** A schedule, not a crowd: jobs come evenly, up to a quarter of a gap early or late. */
  #arrive(): void {
    if (!this.#on) return
    this.#waiting++
    this.#pump()
    const gapUs = (this.#options.jobMs * 1000) / this.#options.cores
    this.#world.at(this.#world.nowUs + gapUs * (0.75 + 0.5 * this.#gaps.next()), () => this.#arrive())
  }

  #pump(): void {
    const { cap, jobMs } = this.#options
    while (this.#waiting > 0 && this.#running < cap) {
      this.#waiting--
      this.#running++
      const era = this.#era
      const startedMs = this.#world.now()
      this.#cores.run(jobMs * 1000, () => {
        if (era !== this.#era) return
        this.#running--
        this.#ended({ startedMs, endedMs: this.#world.now(), workMs: jobMs })
        this.#pump()
      })
    }
  }
}
