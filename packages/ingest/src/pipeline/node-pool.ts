import type { Clock } from '@sluice/core'
import type { NodeHealth } from '../breaker/breaker.js'
import { FlushBaseline } from '../breaker/flush-baseline.js'
import type { Router } from '../route/router.js'
import type { IngestNode } from './ingest-node.js'
import { mayTakeSlot, type Pace } from './paces.js'
import { within } from './within.js'

/** Pings without which nobody knows how long one ordinarily takes. */
const BASELINE_PINGS = 5

interface Watched {
  readonly node: IngestNode
  readonly baseline: FlushBaseline
  /** Null: it did not answer. Undefined: it was not asked yet. */
  pingMs: number | null | undefined
  downSinceMs: number | null
  resourceErrorMs: number | null
  readonly inFlight: Record<Pace, number>
  pinging: Promise<void> | null
}

/** What the pool is made of. */
export interface NodePoolOptions {
  readonly nodes: readonly IngestNode[]
  readonly router: Router
  readonly clock: Clock
  readonly maxPerNode: number
  readonly pingTimeoutMs: number
}

/** The nodes: which of them answer, how fast, and how many blocks are on their way to each. */
export class NodePool {
  readonly #watched = new Map<string, Watched>()
  readonly #options: NodePoolOptions

  constructor(options: NodePoolOptions) {
    this.#options = options
    this.set(options.nodes)
  }

  /** Other nodes from now on; what is known of those that stay is kept. */
  set(nodes: readonly IngestNode[]): void {
    const names = new Set(nodes.map(({ name }) => name))
    for (const name of this.#watched.keys()) if (!names.has(name)) this.#watched.delete(name)
    for (const node of nodes) {
      const known = this.#watched.get(node.name)
      const fresh = { baseline: new FlushBaseline(BASELINE_PINGS), pingMs: undefined, downSinceMs: null }
      const nothing = { ...fresh, resourceErrorMs: null, pinging: null }
      const inFlight = { quick: 0, unknown: 0, slow: 0 }
      this.#watched.set(node.name, Object.assign(known ?? { ...nothing, inFlight }, { node }))
    }
  }

  /** Undefined: there is no such node any more. */
  get(name: string): IngestNode | undefined {
    return this.#watched.get(name)?.node
  }

  /** Whether it answered when it was asked last, or was not asked yet. */
  isUp(name: string): boolean {
    const watched = this.#watched.get(name)
    return watched !== undefined && watched.downSinceMs === null
  }

  /** Whether blocks of a data source can be written: by where they went last; null, of one that is new: whether any answers. */
  isReachable(name: string | null): boolean {
    if (name !== null) return this.isUp(name)
    return [...this.#watched.keys()].some((other) => this.isUp(other))
  }

  /** Since when it does not answer; null: it does. One that there is not never did. */
  downSinceMs(name: string): number | null {
    const watched = this.#watched.get(name)
    return watched ? watched.downSinceMs : Number.NEGATIVE_INFINITY
  }

  /** What a breaker's probe is decided by (I2). */
  health(name: string): NodeHealth {
    const { pingMs = null, baseline, resourceErrorMs = null } = this.#watched.get(name) ?? {}
    const now = this.#options.clock.now()
    return {
      pingMs: pingMs ?? null,
      pingBaselineMs: baseline?.valueMs ?? null,
      resourceErrorAgoMs: resourceErrorMs === null ? null : now - resourceErrorMs,
    }
  }

  /** Whether a block of a data source of that pace may be sent there now. */
  hasRoom(name: string, pace: Pace): boolean {
    const watched = this.#watched.get(name)
    return !watched || mayTakeSlot(pace, watched.inFlight, this.#options.maxPerNode)
  }

  /** Whether one may be sent anywhere. */
  hasAnyRoom(pace: Pace): boolean {
    for (const name of this.#watched.keys()) if (this.isUp(name) && this.hasRoom(name, pace)) return true
    return false
  }

  begin(name: string, pace: Pace): () => void {
    const watched = this.#watched.get(name)
    if (watched) watched.inFlight[pace]++
    return () => {
      if (watched) watched.inFlight[pace]--
    }
  }

  /** It was short of something just now. */
  wasShort(name: string): void {
    const watched = this.#watched.get(name)
    if (watched) watched.resourceErrorMs = this.#options.clock.now()
  }

  /** Its connection was lost: nothing goes there until it has answered. */
  lost(name: string): Promise<void> {
    const watched = this.#watched.get(name)
    if (watched) watched.downSinceMs ??= this.#options.clock.now()
    return this.ping(name)
  }

  async pingAll(): Promise<void> {
    await Promise.all([...this.#watched.keys()].map((name) => this.ping(name)))
  }

  /** Asks one whether it is there. One that is not has failed once more (I6). */
  ping(name: string): Promise<void> {
    const watched = this.#watched.get(name)
    if (!watched) return Promise.resolve()
    watched.pinging ??= this.#ping(watched).finally(() => {
      watched.pinging = null
    })
    return watched.pinging
  }

  async #ping(watched: Watched): Promise<void> {
    const { clock, pingTimeoutMs, router } = this.#options
    const sinceMs = clock.now()
    try {
      await within(clock, pingTimeoutMs, (signal) => watched.node.ping(signal))
      watched.pingMs = clock.now() - sinceMs
      watched.baseline.learn(watched.pingMs)
      watched.downSinceMs = null
    } catch {
      watched.pingMs = null
      watched.downSinceMs ??= sinceMs
      router.report({ node: watched.node.name, isProbe: false }, { isWritten: false })
    }
  }
}
