import { join } from 'node:path'
import type { Clock } from '@sluice/core'
import { type BadRow, type BoundsOptions, IngestPipeline, type SavedPipeline, type SourceState } from '@sluice/ingest'
import { Spool, type SpoolDamage } from '@sluice/ingest/spool'
import { type Ending, LEAST_DISK_MS } from '../ending.js'
import type { Logger } from '../logger.js'
import { NodeUnavailableError } from '../nodes/node-unavailable-error.js'
import type { StoreNode } from '../nodes/store-node.js'
import type { NodeWatch } from '../notices/node-watch.js'
import type { NoticeBoard } from '../notices/notice-board.js'
import { wordsOf } from '../notices/notices-of-pipeline.js'
import { SourceWatch } from '../notices/source-watch.js'
import { Slices } from '../slices.js'
import { makeFolder, usingFolder } from '../state/using-folder.js'
import { BatchKeys, batchIn } from './batch-keys.js'
import type { BreakerOptions } from './breaker-options.js'
import type { DataSource } from './data-source.js'
import { DataSources } from './data-sources.js'
import { defineOnAll } from './define-on-all.js'
import { DefiningNode } from './defining-node.js'
import { keysFirst } from './keys-first.js'
import { without } from './owner-acts.js'
import { type KnownState, PipelineState } from './pipeline-state.js'
import { Quarantine } from './quarantine.js'
import type { MisfitRow } from './rows/row-checker.js'
import { partsOf } from './source-key.js'
import { logDamage, logFound, spoolDamaged } from './spool-findings.js'
import { ToldStates } from './told-states.js'

/** What ingest is made of. */
export interface IngestOptions {
  /** A folder that this process has for itself. */
  readonly folder: string
  readonly nodes: readonly StoreNode[]
  readonly board: NoticeBoard
  /** Who knows which of the nodes are gone. */
  readonly nodeWatch: Pick<NodeWatch, 'lastChange'>
  /** False: no protection of one data source from another. For measurements alone. */
  readonly isolation: boolean
  readonly breaker: BreakerOptions
  /** Of all data sources together; their own are in their plans. */
  readonly bounds: BoundsOptions
  /** Of one tenant. */
  readonly maxDataSources: number
  /** Of the spool. */
  readonly groupMs: number
  /** Defining a table may take so long. */
  readonly defineTimeoutMs: number
  readonly logger: Logger
  readonly clock: Clock
  /** Steady milliseconds, for quotas. */
  readonly nowMs: () => number
}

/** How often what is only in memory is put on disk. */
const SAVE_EVERY_MS = 10_000

/** Everything between an accepted event and its node, and what is kept of it in one folder. */
export class Ingest {
  readonly sources: DataSources
  readonly quarantine: Quarantine
  readonly keys: BatchKeys
  readonly watch: SourceWatch
  /** What takes long of what senders and owners ask for: it holds up nobody else. */
  readonly slices: Slices
  readonly #options: IngestOptions
  readonly #nodes: readonly DefiningNode[]
  readonly #state: PipelineState
  readonly #told = new ToldStates()
  #pipeline: IngestPipeline | undefined
  #stopSaving = (): void => {}
  #isClosing = false

  /** Reads what is kept. @throws ConfigError where it cannot be used */
  static async open(options: IngestOptions): Promise<Ingest> {
    const { folder, nodes, maxDataSources: most, clock, nowMs } = options
    const wallNow = () => clock.wallNow()
    // The nodes look definitions up where they will be.
    let sources: DataSources | undefined
    const defining = nodes.map((node) => new DefiningNode(node, (key) => sources?.get(key)))
    const define = (source: DataSource) => defineOnAll(defining, source, options.defineTimeoutMs)
    const kept = { folder: join(folder, 'data-sources'), most }
    sources = await DataSources.open({ ...kept, define, nowMs, wallNow })
    const slices = new Slices(() => clock.now())
    const quarantine = await Quarantine.open(join(folder, 'quarantine'), wallNow, slices)
    const keys = await BatchKeys.open(join(folder, 'keys'), wallNow, slices)
    const state = await PipelineState.open(join(folder, 'pipeline'))
    return new Ingest(options, sources, quarantine, keys, slices, defining, state)
  }

  private constructor(
    options: IngestOptions,
    sources: DataSources,
    quarantine: Quarantine,
    keys: BatchKeys,
    slices: Slices,
    nodes: readonly DefiningNode[],
    state: PipelineState,
  ) {
    this.#options = options
    this.sources = sources
    this.quarantine = quarantine
    this.keys = keys
    this.slices = slices
    this.#nodes = nodes
    this.#state = state
    for (const source of sources.all()) source.freshness.restore(state.freshnessOf(source.key))
    const backlogs = () => this.#pipeline?.backlogs.list() ?? []
    const { board, clock } = options
    this.watch = new SourceWatch({ board, backlogs, find: (key) => sources.get(key), clock })
  }

  /** Takes up what an earlier process left, once nodes are there. @throws ConfigError where its folder cannot be used */
  async start(): Promise<void> {
    const { folder } = this.#options
    await usingFolder({ field: 'spoolDir', folder }, () => this.#start(join(folder, 'events')))
  }

  async #start(events: string): Promise<void> {
    const { board, isolation, breaker, bounds, groupMs, logger, clock } = this.#options
    await makeFolder(events)
    const onDamage = (damaged: readonly SpoolDamage[]) => {
      logDamage(damaged, logger)
      board.post(spoolDamaged(damaged))
    }
    const spool = await Spool.open(events, { groupMs, onDamage })
    const { damaged } = spool.findings
    if (damaged.length > 0) board.post(spoolDamaged(damaged))
    const found: Promise<void>[] = []
    const keysKept = async () => {
      await Promise.all(found)
      await this.keys.sync()
    }
    const notKept = (error: unknown) => logger.warn('keys could not be put on disk', { error: String(error) })
    const pipeline = await IngestPipeline.start({
      spool: keysFirst(spool, keysKept, notKept),
      nodes: this.#nodes,
      isolation,
      breaker,
      bounds,
      clock,
      flushIntervalMs: (key) => this.sources.get(key)?.definition.plan.flush_interval_ms ?? 1000,
      sourceBounds: (key) => this.sources.get(key)?.bounds ?? {},
      tenantOf: (key) => partsOf(key).tenant,
      quarantine: (key, bad) => this.quarantine.add(key, bad as readonly (BadRow & MisfitRow)[]), // takeBatch's
      noted: (_, note) => void found.push(this.#remember(note)),
      onError: (what, error) => logger.warn(what, { error: String(error) }),
      saved: this.#state.pipeline,
    })
    await Promise.all(found)
    found.length = 0
    logFound(spool, pipeline, logger)
    for (const notice of pipeline.notices.list().notices) this.#told.found(notice)
    pipeline.notices.subscribe((notice) => {
      // One that was deleted is none: another of that name begins anew.
      if (this.sources.get(notice.source) !== undefined) this.#told.hear(notice)
      board.post(wordsOf(notice))
    })
    this.#pipeline = pipeline
    this.#saveLater()
  }

  /** @throws NodeUnavailableError while what an earlier process left is taken up */
  get pipeline(): IngestPipeline {
    if (this.#pipeline !== undefined) return this.#pipeline
    throw new NodeUnavailableError('The gateway is taking up what its spool holds.', 1000)
  }

  get isStarted(): boolean {
    return this.#pipeline !== undefined
  }

  /** How it is: by what it does itself, and by whether the node is there that it is written to, or of one that waits for none, any. */
  stateOf({ key, createdAtMs }: DataSource): { state: SourceState; sinceMs: number; limitedUntilMs: number | null } {
    const own = this.#pipeline?.notices.stateOf(key) ?? 'flowing'
    const sinceMs = this.#told.sinceMs(key) ?? createdAtMs
    const limitedUntilMs = own === 'limited' ? this.#told.limitedUntilMs(key) : null
    if (own === 'limited' || own === 'delayed') return { state: own, sinceMs, limitedUntilMs }
    // What it takes is written as soon as its node is there: that is not its doing, and it has no notice of its own for it.
    const node = this.#pipeline?.backlogs.read(key).node ?? null
    const { isGone, atMs } = this.#options.nodeWatch.lastChange(node) ?? { isGone: false, atMs: 0 }
    return { state: isGone ? 'delayed' : own, sinceMs: Math.max(sinceMs, atMs), limitedUntilMs }
  }

  /** Where it is written. */
  nodeOf({ key }: DataSource): string {
    const { router, backlogs } = this.pipeline
    return router.forced.get(key) ?? backlogs.read(key).node ?? router.route(key, false).node
  }

  /** The node that its owner has it written to; null: none was chosen. */
  routeOf({ key }: DataSource): string | null {
    return this.pipeline.router.forced.get(key) ?? null
  }

  /** Has its table made on a node that it is to be written to. @throws what the node says, where that cannot be */
  async prepare(source: DataSource, node: string | null, signal: AbortSignal): Promise<void> {
    const target = this.#nodes.find(({ name }) => name === node)
    await target?.ping(signal)
    await target?.define(source, signal)
  }

  /**
   * Puts on disk what is to be changed of a data source, and then changes it.
   * @param change all that is known of its tenant's
   * @throws NotKeptError: then it is as it was; NodeUnavailableError where it was deleted before its turn
   */
  change(source: DataSource, change: (saved: SavedPipeline) => SavedPipeline, act: () => void): Promise<void> {
    const known = () => {
      if (!this.sources.takes(source)) throw new NodeUnavailableError(`"${source.name}" is being deleted.`, 1000)
      return this.#known()
    }
    return this.#state.save(source.namespace.tenant, known, change, act)
  }

  #known(): KnownState {
    return { pipeline: this.pipeline, sources: this.sources.all() }
  }

  /** Puts on disk what is paused, limited, forced to a node, and how fresh all is. */
  async save(): Promise<void> {
    if (this.#pipeline) await this.#state.saveAll(this.#known())
  }

  /**
   * Deletes the definition of a data source of which nothing waits, with its rows in quarantine and all that was said of it.
   * What is written stays.
   * @returns false: something of it waits @throws NotKeptError: then it is there still
   */
  async delete(source: DataSource): Promise<boolean> {
    const { key } = source
    const { backlogs } = this.pipeline
    if (!(await this.sources.delete(source, () => backlogs.isEmpty(key)))) return false
    this.#told.forget(key)
    for (const node of this.#nodes) node.forget(key)
    const told = (error: unknown) =>
      this.#options.logger.warn('something of it is left', { source: key, error: String(error) })
    // None of it must hold for another of that name: behind what its owner changed before.
    const forget = () => {
      if (backlogs.read(key).isPaused) backlogs.resume(key)
      backlogs.reroute(key, null)
      this.pipeline.lift(key)
    }
    const saved = this.#state.save(source.namespace.tenant, () => this.#known(), without(key), forget)
    // Also where the disk does not take it.
    await Promise.all([this.quarantine.forget(key), saved.finally(forget)]).catch(told)
    return true
  }

  /**
   * Accepts nothing more, writes what can be written; the rest waits on disk.
   * @param ending told of what is late
   */
  async close(graceMs: number, ending: Ending): Promise<void> {
    this.#isClosing = true
    this.#stopSaving()
    this.watch.close()
    const { clock } = this.#options
    const sinceMs = clock.now()
    try {
      await this.#closePipeline(graceMs * 0.9, ending) // a tenth is left to what comes after it
    } finally {
      const ms = Math.max(graceMs - clock.now() + sinceMs, LEAST_DISK_MS)
      const saved = this.save().catch((error) => this.#notSaved(error))
      await Promise.all([
        ending.inTime('state', ms, saved),
        ending.inTime('keys', ms, this.keys.close()),
        ending.inTime('quarantine', ms, this.quarantine.close()),
      ])
    }
  }

  async #closePipeline(graceMs: number, ending: Ending): Promise<void> {
    const { clock, logger } = this.#options
    const sinceMs = clock.now()
    const closed = await this.#pipeline?.close(graceMs)
    if (closed === undefined) return
    const { rowsLeft, unended = [], ended = Promise.resolve() } = closed
    if (rowsLeft > 0) logger.warn('rows wait in the spool', { rowsLeft })
    for (const what of unended) ending.late(what, clock.now() - sinceMs, ended)
  }

  async #remember(note: string): Promise<void> {
    const batch = batchIn(note)
    if (batch && !(await this.keys.find(batch.source, batch.key))) await this.keys.add(batch)
  }

  /** As it was saved before it is there still: the next process knows that. */
  #notSaved(error: unknown): void {
    this.#options.logger.warn('state could not be saved', { error: String(error) })
  }

  /** One round after another, however long a disk takes for one. */
  #saveLater(): void {
    if (this.#isClosing) return
    const round = () => this.save().catch((error) => this.#notSaved(error))
    this.#stopSaving = this.#options.clock.timer(SAVE_EVERY_MS, () => void round().then(() => this.#saveLater()))
  }
}
