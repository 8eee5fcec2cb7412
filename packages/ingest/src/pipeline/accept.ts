import type { Clock } from '@sluice/core'
import type { Bounds, SourceBounds } from '../bounds/bounds.js'
import { type Chunk, cut } from './chunk.js'
import type { DurableSpool } from './durable-spool.js'
import type { NodePool } from './node-pool.js'
import type { BadRow, PipelineSettings } from './options.js'
import { encodePayload, type IngestEvent, stretchesOf } from './payload.js'
import type { Queues } from './queues.js'
import type { SourceGuard } from './source-guard.js'
import type { SourceQueue } from './source-queue.js'

/** What belongs to a batch beside its events. */
export interface AcceptOptions {
  /** Rows that do not fit: they go into quarantine, and are counted. */
  readonly bad?: readonly BadRow[]
  /**
   * Goes on disk together with the events, and is handed to the option `noted` of a pipeline that finds them there: such as
   * the key by which a batch is told from another, so that it is known whenever its events are.
   */
  readonly note?: string
}

/** Events that are on disk, and will be written. */
export interface Accepted {
  readonly status: 202
  readonly accepted: number
  readonly quarantined: number
  /** `delayed`: later than with the next flush. */
  readonly state: 'buffered' | 'delayed'
  /** Not before, in epoch ms; null: nobody knows, or they are not delayed. */
  readonly untilMs: number | null
  /** Fulfils once all of them are written; rejects where they were dropped, or the pipeline closed before: then they will be later. */
  readonly written: () => Promise<void>
}

/** Nothing of it was taken. */
export interface Refused {
  readonly status: 429 | 503
  /** What was in the way: the temporal limit (I3), a bound (I5), or that the pipeline closes. */
  readonly reason: 'limited' | 'source_bytes' | 'source_age' | 'total_bytes' | 'total_age' | 'closing'
  /** In ms; null: it would never be taken. State it with `retryAfterSeconds()`. */
  readonly retryAfterMs: number | null
}

/** What became of a batch. */
export type BatchVerdict = Accepted | Refused

/** What accepting is made of. */
export interface AcceptingOptions {
  readonly settings: PipelineSettings
  readonly spool: DurableSpool
  readonly bounds: Bounds
  readonly sourceBounds: ((source: string) => SourceBounds) | undefined
  readonly queues: Queues
  readonly guard: SourceGuard
  readonly pool: NodePool
  readonly clock: Clock
  readonly quarantine: ((source: string, bad: readonly BadRow[]) => Promise<void>) | undefined
  readonly gather: (source: string, chunks: readonly Chunk[]) => void
}

/** Whether events may come, and on disk with them (I3, I4, I5). */
export class Accepting {
  readonly #options: AcceptingOptions
  /** Bytes that are on their way to the disk, by data source: they count already. */
  readonly #coming = new Map<string, number>()
  readonly #underWay = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(options: AcceptingOptions) {
    this.#options = options
  }

  accept(source: string, events: readonly IngestEvent[], options: AcceptOptions): Promise<BatchVerdict> {
    const accepting = this.#accept(source, events, options)
    const end = (): void => void this.#underWay.delete(ended)
    const ended: Promise<void> = accepting.then(end, end)
    this.#underWay.add(ended)
    return accepting
  }

  /** Refuses what comes, and fulfils when what is under way is on disk. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#underWay)
  }

  async #accept(
    source: string,
    events: readonly IngestEvent[],
    { bad = [], note }: AcceptOptions,
  ): Promise<BatchVerdict> {
    const { spool, quarantine, queues, clock, gather, settings } = this.#options
    if (bad.length > 0 && !quarantine) throw new TypeError('IngestPipeline.accept: bad rows need the option quarantine')
    const payload = encodePayload(events, note)
    const refused = this.#refusal(source, events.length, payload.length)
    if (refused) return refused
    this.#coming.set(source, (this.#coming.get(source) ?? 0) + payload.length)
    let sequence = 0
    try {
      if (bad.length > 0) await quarantine?.(source, bad)
      if (events.length > 0) sequence = await spool.append(source, payload)
    } finally {
      const left = (this.#coming.get(source) ?? 0) - payload.length
      if (left > 0) this.#coming.set(source, left)
      else this.#coming.delete(source)
    }
    const queue = queues.of(source)
    if (events.length > 0) {
      queue.add(sequence, events.length, clock.now())
      const stretches = [...stretchesOf(payload)]
      // A copy each, where there are several: a partition that waits must not keep the others in memory.
      const chunks = stretches.flatMap(({ lines, ...own }) =>
        cut(sequence, own, stretches.length === 1 ? lines : lines.slice(), settings),
      )
      gather(
        source,
        chunks.map((chunk) => (queues.hold(queue, chunk.bytes) ? chunk : { ...chunk, lines: null })),
      )
    }
    const written = (): Promise<void> => queue.whenWritten(sequence)
    return { status: 202, accepted: events.length, quarantined: bad.length, ...this.#when(queue), written }
  }

  /** Its own bounds before its limit: what is refused must not count towards that. */
  #refusal(source: string, rows: number, bytes: number): Refused | null {
    const { bounds, sourceBounds, spool, guard, queues, clock } = this.#options
    if (this.#isClosed) return { status: 503, reason: 'closing', retryAfterMs: 1000 }
    const read = (of: string | undefined, coming: number, drainedPerSecond: number) => {
      const { bytes: kept, oldestAtMs } = spool.backlog(of)
      const oldestMs = oldestAtMs === null ? 0 : Math.max(0, clock.wallNow() - oldestAtMs)
      return { bytes: kept + coming, oldestMs, drainedPerSecond }
    }
    let coming = 0
    for (const one of this.#coming.values()) coming += one
    const own = read(source, this.#coming.get(source) ?? 0, guard.drainedPerSecond(source))
    const { status, bound, retryAfterMs } = bounds.judge(
      bytes,
      own,
      read(undefined, coming, queues.drained.perSecond),
      sourceBounds?.(source),
    )
    if (status !== 202) return { status, reason: bound, retryAfterMs }
    const { isAdmitted, retryAfterMs: limitedForMs } = guard.admit(source, rows)
    return isAdmitted ? null : { status: 429, reason: 'limited', retryAfterMs: limitedForMs }
  }

  #when({ name, isPaused, node }: SourceQueue): Pick<Accepted, 'state' | 'untilMs'> {
    const { guard, pool, clock } = this.#options
    const isLate = isPaused || !guard.isClosed(name) || !pool.isReachable(node)
    const untilMs = isLate ? guard.delayedUntilMs(name) : null
    return {
      state: isLate ? 'delayed' : 'buffered',
      untilMs: untilMs === null ? null : Math.ceil(clock.wallNow() + untilMs - clock.now()),
    }
  }
}
