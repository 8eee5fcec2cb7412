import type { Clock } from '@sluice/core'
import type { Bounds, SourceBounds } from '../bounds/bounds.js'
import type { DurableSpool } from './durable-spool.js'
import type { Queues } from './queues.js'

/** What was seen counts for so long: there may be many data sources, and ages are hours. */
const KNOWN_MS = 1000

/** What it looks at. */
export interface OldestOfAllOptions {
  readonly spool: DurableSpool
  readonly queues: Queues
  readonly bounds: Bounds
  readonly sourceBounds: ((source: string) => SourceBounds) | undefined
  readonly clock: Clock
}

/**
 * The age of the oldest event of all data sources together (I5), those left out that are old by their own doing: paused by
 * their owner, refused by their table, or above the age that they may have. They stop no others.
 */
export class OldestOfAll {
  readonly #options: OldestOfAllOptions
  #atMs = Number.POSITIVE_INFINITY
  #askedMs = Number.NEGATIVE_INFINITY

  constructor(options: OldestOfAllOptions) {
    this.#options = options
  }

  /** In ms; 0: there is none. */
  ageMs(): number {
    const { clock } = this.#options
    const now = clock.now()
    if (now - this.#askedMs >= KNOWN_MS) {
      this.#askedMs = now
      this.#atMs = this.#look()
    }
    return Math.max(0, clock.wallNow() - this.#atMs)
  }

  #look(): number {
    const { spool, queues, bounds, sourceBounds, clock } = this.#options
    let oldestAtMs = Number.POSITIVE_INFINITY
    for (const { name, isPausedByOwner, refused } of queues.all()) {
      const { oldestAtMs: atMs } = spool.backlog(name)
      if (atMs === null || atMs >= oldestAtMs || isPausedByOwner || refused.size > 0) continue
      if (!bounds.isTooOld(clock.wallNow() - atMs, sourceBounds?.(name))) oldestAtMs = atMs
    }
    return oldestAtMs
  }
}
