import type { Clock } from '@sluice/core'
import type { Backlog, Bound, Bounds, Load, SourceBounds } from '../bounds/bounds.js'
import { type Chunk, chunksOf, cut, letGo, type RowRange } from './chunk.js'
import type { DurableSpool } from './durable-spool.js'
import type { NodePool } from './node-pool.js'
import { OldestOfAll } from './oldest-of-all.js'
import type { BadRow, PipelineSettings } from './options.js'
import { encodePayload, type IngestEvent, type IngestLines, type Payload, type PayloadStretch } from './payload.js'
import type { Queues } from './queues.js'
import type { SourceGuard } from './source-guard.js'
import type { SourceQueue } from './source-queue.js'
import { bytesInSpool } from './tally.js'

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
  readonly reason: 'limited' | Bound | 'closing'
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
  #comingBytes = 0
  readonly #oldest: OldestOfAll
  readonly #underWay = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(options: AcceptingOptions) {
    this.#options = options
    this.#oldest = new OldestOfAll(options)
  }

  accept(
    source: string,
    events: readonly (IngestEvent | IngestLines)[],
    options: AcceptOptions,
  ): Promise<BatchVerdict> {
    const accepting = this.#accept(source, events, options)
    const end = (): void => void this.#underWay.delete(ended)
    const ended: Promise<void> = accepting.then(end, end)
    this.#underWay.add(ended)
    return accepting
  }

  /** Whether events of a data source are on their way to the disk. */
  isComing(source: string): boolean {
    return this.#coming.has(source)
  }

  /** Refuses what comes, and fulfils when what is under way is on disk. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#underWay)
  }

  async #accept(
    source: string,
    events: readonly (IngestEvent | IngestLines)[],
    { bad = [], note }: AcceptOptions,
  ): Promise<BatchVerdict> {
    const { spool, quarantine, queues, clock } = this.#options
    if (bad.length > 0 && !quarantine) throw new TypeError('IngestPipeline.accept: bad rows need the option quarantine')
    const payload = encodePayload(events, note)
    const { bytes: payloadBytes } = payload
    const cuts = this.#cuts(payload)
    const pieces = cuts.reduce((sum, { ranges }) => sum + ranges.length, 0)
    const count = payload.stretches.reduce((sum, stretch) => sum + stretch.count, 0)
    const refused = this.#refusal(source, count, { bytes: payloadBytes, pieces })
    if (refused) return refused
    const queue = queues.of(source)
    const bytes = bytesInSpool(source, payloadBytes)
    queue.count(bytes, pieces)
    this.#comes(source, payloadBytes)
    let sequence: number | null = null
    try {
      if (bad.length > 0) await quarantine?.(source, bad)
      if (count > 0) sequence = await spool.append(source, payload.pieces)
    } finally {
      this.#comes(source, -payloadBytes)
      if (sequence === null) queue.count(-bytes, -pieces)
    }
    if (sequence !== null) {
      queue.add(sequence, count, bytes, clock.now())
      this.#gather(queue, sequence, cuts)
    }
    const written = (): Promise<void> => queue.whenWritten(sequence ?? 0)
    return { status: 202, accepted: count, quarantined: bad.length, ...this.#when(queue), written }
  }

  /** What a batch is made of, and where each stretch is cut. */
  #cuts({ stretches }: Payload): StretchCut[] {
    const all = (stretch: PayloadStretch) => cut([0, stretch.count], stretch, this.#options.settings)
    return stretches.map((stretch) => ({ stretch, ranges: all(stretch) }))
  }

  #gather(queue: SourceQueue, sequence: number, cuts: readonly StretchCut[]): void {
    const { queues, gather } = this.#options
    const chunks: Chunk[] = []
    for (const { stretch, ranges } of cuts)
      for (const chunk of chunksOf(sequence, stretch, ranges))
        chunks.push(queues.hold(queue, chunk.bytes) ? alone(chunk) : letGo(chunk))
    gather(queue.name, chunks)
  }

  #comes(source: string, bytes: number): void {
    const coming = (this.#coming.get(source) ?? 0) + bytes
    if (coming > 0) this.#coming.set(source, coming)
    else this.#coming.delete(source)
    this.#comingBytes += bytes
  }

  /** Its own bounds before its limit: what is refused must not count towards that. */
  #refusal(source: string, rows: number, load: Load): Refused | null {
    const { bounds, sourceBounds, guard, queues } = this.#options
    if (this.#isClosed) return { status: 503, reason: 'closing', retryAfterMs: 1000 }
    const waiting = { source: this.#ofSource(source), tenant: queues.waitsOfTenant(source), total: this.#ofAll() }
    const { status, bound, retryAfterMs } = bounds.judge(load, waiting, sourceBounds?.(source))
    if (status !== 202) return { status, reason: bound, retryAfterMs }
    const { isAdmitted, retryAfterMs: limitedForMs } = guard.admit(source, rows)
    return isAdmitted ? null : { status: 429, reason: 'limited', retryAfterMs: limitedForMs }
  }

  #ofSource(source: string): Backlog {
    const { spool, guard, queues, clock } = this.#options
    const { bytes, oldestAtMs } = spool.backlog(source)
    return {
      bytes: bytes + (this.#coming.get(source) ?? 0),
      pieces: queues.find(source)?.waits.pieces ?? 0,
      oldestMs: oldestAtMs === null ? 0 : Math.max(0, clock.wallNow() - oldestAtMs),
      drainedPerSecond: guard.drainedPerSecond(source),
    }
  }

  #ofAll(): Backlog {
    const { spool, queues } = this.#options
    return {
      bytes: spool.backlog().bytes + this.#comingBytes,
      pieces: queues.waits.pieces,
      oldestMs: this.#oldest.ageMs(),
      drainedPerSecond: queues.drained.perSecond,
    }
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

interface StretchCut {
  readonly stretch: PayloadStretch
  readonly ranges: readonly RowRange[]
}

/** A piece that waits must not keep much else in memory: what is a small part of its memory is copied. */
function alone(chunk: Chunk): Chunk {
  const { lines, bytes } = chunk
  return lines && lines.buffer.byteLength > 2 * bytes ? { ...chunk, lines: new Uint8Array(lines) } : chunk
}
