import type { Client, PlannedCall } from '../clients/client.js'
import type { ObservedLimiter } from '../controllers/controller.js'
import type { Stream } from '../random/stream.js'

/** One process: its limiter, and what makes calls behind it. */
export interface Process {
  readonly limiter: ObservedLimiter
  readonly client: Client
}

/** The processes that make our calls; a balancer gives each call to one of them, at random. */
export class Fleet {
  readonly #balancer: Stream
  #processes: readonly Process[]

  constructor(balancer: Stream, processes: readonly Process[]) {
    this.#balancer = balancer
    this.#processes = processes
  }

  /** Others get the calls from now on; what is under way goes on. */
  replace(processes: readonly Process[]): void {
    this.#processes = processes
  }

  call(planned: PlannedCall, ended?: () => void): void {
    const { length } = this.#processes
    const one = this.#processes[length === 1 ? 0 : Math.floor(this.#balancer.next() * length)]
    one?.client.call(planned, ended)
  }

  /** What all of them allow, have in flight and keep waiting together. */
  snapshot(): { limit: number; inFlight: number; queued: number; unknown: boolean | undefined } {
    const seen = this.#processes.map(({ limiter }) => limiter.snapshot())
    const total = (of: 'limit' | 'inFlight' | 'queued'): number => seen.reduce((sum, it) => sum + it[of], 0)
    const trust = seen[0]?.baselineTrust
    const unknown = trust && trust === 'unknown'
    return { limit: total('limit'), inFlight: total('inFlight'), queued: total('queued'), unknown }
  }
}
