import { type Clock, systemClock } from '@sluice/core'
import { Bounds } from '../bounds/bounds.js'
import { type Flush, Gatherer } from '../gather/gatherer.js'
import { Notices } from '../notices/notices.js'
import { Router } from '../route/router.js'
import { complete } from '../settings.js'
import { Accepting, type AcceptOptions, type BatchVerdict } from './accept.js'
import { Backlogs } from './backlogs.js'
import { checkParts } from './check-input.js'
import type { Chunk } from './chunk.js'
import { closeWithin, type PipelineClosed } from './closing.js'
import { Delivery } from './delivery.js'
import type { DurableSpool } from './durable-spool.js'
import { Flusher } from './flusher.js'
import type { IngestNode } from './ingest-node.js'
import { Marks } from './marks.js'
import { NodePool } from './node-pool.js'
import { PIPELINE_FIELDS, type PipelineOptions, type PipelineSettings, type SavedPipeline } from './options.js'
import type { IngestEvent, IngestLines } from './payload.js'
import { Queues } from './queues.js'
import { replay } from './replay.js'
import { SourceGuard } from './source-guard.js'

/** Events are in the spool, and were not written before the pipeline closed. */
export class PipelineClosedError extends Error {
  override readonly name = 'PipelineClosedError'
}

/** How often nodes are asked and data sources are looked at. */
const TICK_MS = 1000

/**
 * From an accepted event to a written block (I1–I8): events are in the spool before they are acknowledged, are gathered,
 * and go to their node as one insert per partition, in turn with those of other data sources. What may have been written is
 * looked up before it is sent again.
 */
export class IngestPipeline {
  /** What owners are told (I7). */
  readonly notices: Notices
  /** What waits, and what can be done about it. */
  readonly backlogs: Backlogs
  /** Where blocks go (I6). */
  readonly router: Router
  readonly #spool: DurableSpool
  readonly #settings: PipelineSettings
  readonly #clock: Clock
  readonly #gatherer: Gatherer<Chunk>
  readonly #guard: SourceGuard
  readonly #queues: Queues
  readonly #pool: NodePool
  readonly #marks: Marks
  readonly #flusher: Flusher
  readonly #accepting: Accepting
  readonly #isolation: boolean
  readonly #noted: PipelineOptions['noted']
  #stopTick = (): void => {}
  #stopDue = (): void => {}
  /** When what is gathered is looked at next. */
  #dueMs = Number.POSITIVE_INFINITY
  #closing: Promise<PipelineClosed> | null = null

  /**
   * Takes up what an earlier process left in the spool, and begins.
   * @throws TypeError that names the option, its value and what is allowed; what the spool says
   */
  static async start(options: PipelineOptions): Promise<IngestPipeline> {
    const pipeline = new IngestPipeline(options)
    await pipeline.#start()
    return pipeline
  }

  private constructor(options: PipelineOptions) {
    checkParts(options)
    const { spool, nodes, flushIntervalMs, isolation = true, breaker, limit = {}, bounds, router, ...others } = options
    const {
      quarantine,
      sourceBounds,
      tenantOf,
      noted,
      saved,
      onError = () => {},
      newId = () => crypto.randomUUID(),
      ...timing
    } = others
    const { random, clock = systemClock, ...rest } = timing
    const settings = complete('IngestPipeline', PIPELINE_FIELDS, rest)
    const { maxRows, maxBytes, maxPerNode, pingTimeoutMs, insertTimeoutMs, lookUpTimeoutMs, maxMemoryBytes } = settings
    this.#spool = spool
    this.#settings = settings
    this.#clock = clock
    this.#isolation = isolation
    const notices = new Notices({ maxNotices: settings.maxNotices, clock })
    this.notices = notices
    this.router = new Router({ ...router, nodes: nodes.map(({ name }) => name), clock })
    this.#gatherer = new Gatherer({ flushIntervalMs, maxRows, maxBytes, clock })
    this.#guard = new SourceGuard({ breaker: { ...breaker, flushIntervalMs, random, clock }, limit, notices, clock })
    this.#queues = new Queues(maxMemoryBytes, clock, tenantOf)
    this.#pool = new NodePool({ nodes, router: this.router, clock, maxPerNode, pingTimeoutMs })
    this.#marks = new Marks(spool, onError)
    const delivery = new Delivery({ spool, clock, insertTimeoutMs, lookUpTimeoutMs })
    const shared = {
      settings: this.#settings,
      isolation,
      clock,
      queues: this.#queues,
      guard: this.#guard,
      pool: this.#pool,
    }
    this.#flusher = new Flusher({
      ...shared,
      flushIntervalMs,
      router: this.router,
      delivery,
      marks: this.#marks,
      newId,
      onError,
    })
    this.#accepting = new Accepting({
      ...shared,
      spool,
      bounds: new Bounds(bounds),
      sourceBounds,
      quarantine,
      gather: (...it) => this.#gather(...it),
    })
    this.backlogs = new Backlogs({
      ...shared,
      spool,
      notices,
      router: this.router,
      flusher: this.#flusher,
      gathered: (source) => this.#enqueue(this.#gatherer.flush(source)),
      isComing: (source) => this.#accepting.isComing(source),
      marked: () => this.#marks.flush(),
    })
    this.#noted = noted
    if (saved) this.#restore(saved)
  }

  /**
   * Events of one data source. When this fulfils with status 202 they are on disk, and will be written.
   * @param source its name, with its tenant's where there are several
   * @throws TypeError for an event that cannot be kept; what the spool says, where they may not be on disk
   */
  accept(
    source: string,
    events: readonly (IngestEvent | IngestLines)[],
    options: AcceptOptions = {},
  ): Promise<BatchVerdict> {
    return this.#accepting.accept(source, events, options)
  }

  /** Other nodes from now on. What may be on one that is no longer there waits as for one that cannot be reached. */
  setNodes(nodes: readonly IngestNode[]): void {
    this.router.setNodes(nodes.map(({ name }) => name))
    this.#pool.set(nodes)
    void this.#pool.pingAll().then(() => this.#flusher.pump())
  }

  /**
   * What it knows beside what is in the spool, for another process.
   * @param isWanted of which data sources: what one tenant's cost does not grow with those of others. Default: of all.
   */
  snapshot(isWanted: (source: string) => boolean = () => true): SavedPipeline {
    const paused = this.#queues.all().flatMap(({ name, isPausedByOwner }) => {
      return isPausedByOwner && isWanted(name) ? [name] : []
    })
    const routes = [...this.router.forced].filter(([source]) => isWanted(source))
    return { guard: this.#guard.snapshot(isWanted), paused, routes }
  }

  /** Ends the limit of a data source (I3), as its owner says. */
  lift(source: string): void {
    this.#guard.lift(source)
  }

  /**
   * Accepts nothing more, writes what can be written, and closes the spool. What is delayed, paused or cannot be reached
   * stays there for the next process.
   * @param graceMs what is under way then is left to it: inserts a tenth before that, and a disk that hangs. Default 10 000;
   *   a disk has half a second in any case
   */
  close(graceMs = 10_000): Promise<PipelineClosed> {
    this.#closing ??= this.#close(graceMs)
    return this.#closing
  }

  async #start(): Promise<void> {
    await this.#pool.pingAll()
    const now = this.#clock.now()
    const blocks = await replay(this.#spool, this.#settings, now, (record) => {
      const { sequence, source, bytes, left, pieces, chunks, note, atMs } = record
      if (note !== undefined) this.#noted?.(source, note, atMs)
      const queue = this.#queues.of(source)
      queue.count(bytes, pieces)
      queue.add(sequence, left, bytes, now)
      queue.ageFromMs = now
      this.#queues.push(queue, chunks)
      if (left === 0 && queue.written(sequence, 0)) this.#marks.add([sequence])
    })
    for (const block of blocks) {
      const queue = this.#queues.of(block.source)
      queue.again.push(block)
      this.#queues.settle(queue)
    }
    this.#stopTick = this.#clock.timer(TICK_MS, () => this.#tick())
    this.#flusher.pump()
  }

  #restore({ guard, paused, routes }: SavedPipeline): void {
    this.#guard.restore(guard)
    for (const source of paused) this.#queues.of(source).isPausedByOwner = true
    const nodes = new Set(this.router.read().map(({ node }) => node))
    for (const [source, node] of routes) if (nodes.has(node)) this.router.force(source, node)
  }

  #gather(source: string, chunks: readonly Chunk[]): void {
    const events = chunks.map((chunk) => ({
      ...{ partition: chunk.partition, row: chunk, bytes: chunk.bytes },
      count: chunk.to - chunk.from,
    }))
    this.#enqueue(this.#gatherer.add(source, events))
    this.#setDue()
  }

  #enqueue(flushes: readonly Flush<Chunk>[]): void {
    for (const { source, rows } of flushes) {
      const queue = this.#queues.of(source)
      // What cannot be written soon need not be in memory.
      const waits = queue.isPaused || !this.#guard.isClosed(source) || !this.#pool.isReachable(queue.node)
      this.#queues.push(queue, waits ? this.#queues.release(queue, rows) : rows)
    }
    if (flushes.length > 0) this.#flusher.pump()
  }

  #setDue(): void {
    const { nextDueMs } = this.#gatherer
    if (nextDueMs === null || nextDueMs >= this.#dueMs || this.#closing) return
    this.#stopDue()
    this.#dueMs = nextDueMs
    this.#stopDue = this.#clock.timer(Math.max(0, nextDueMs - this.#clock.now()), () => {
      this.#dueMs = Number.POSITIVE_INFINITY
      this.#enqueue(this.#gatherer.due())
      this.#setDue()
    })
  }

  #tick(): void {
    this.#stopTick = this.#clock.timer(TICK_MS, () => this.#tick())
    void this.#pool.pingAll().then(() => this.#flusher.pump())
    void this.#marks.flush()
    if (this.#isolation) this.#observe()
    this.#flusher.pump()
  }

  #observe(): void {
    const now = this.#clock.now()
    for (const queue of this.#queues.all()) {
      // Events that wait for their node, for others, because they are refused or their owner says so, are no sign that it is too slow (I2).
      const waits = queue.again.some(({ unknownOn, refusals }) => unknownOn.size > 0 || refusals > 0)
      const hangs = queue.inFlight((node) => !this.#pool.isUp(node)) > 0
      const isHeldBack =
        queue.isPaused || waits || hangs || this.#flusher.isCrowdedOut(queue) || !this.#pool.isReachable(queue.node)
      if (isHeldBack) queue.ageFromMs = now
      const { oldestSinceMs } = queue
      const ageMs = oldestSinceMs === null ? 0 : now - Math.max(oldestSinceMs, queue.ageFromMs)
      this.#guard.observe(queue.name, isHeldBack ? null : ageMs)
      const isEmpty = queue.openRows === 0 && queue.inFlight() === 0 && !this.#accepting.isComing(queue.name)
      if (isEmpty && !queue.isPaused && queue.maybeDuplicatedRows === 0) this.#queues.forget(queue)
    }
    for (const source of this.#guard.sources()) {
      if (this.#queues.find(source)) continue
      this.#guard.observe(source, 0)
      this.#guard.forgetIfIdle(source)
    }
  }

  async #close(graceMs: number): Promise<PipelineClosed> {
    this.#stopTick()
    this.#stopDue()
    const closing = closeWithin(graceMs, {
      clock: this.#clock,
      accepted: () => this.#accepting.close(),
      written: () => {
        this.#enqueue(this.#gatherer.flush())
        return this.#flusher.drain()
      },
      stop: () => this.#flusher.stop(),
      marked: () => this.#marks.flush(),
      spoolClosed: () => this.#spool.close(),
    })
    try {
      const left = await closing
      return { rowsLeft: this.#queues.all().reduce((sum, { openRows }) => sum + openRows, 0), ...left }
    } finally {
      const why = 'the pipeline closed before they were written; the next process writes them'
      this.#queues.dropAll(new PipelineClosedError(why))
    }
  }
}
