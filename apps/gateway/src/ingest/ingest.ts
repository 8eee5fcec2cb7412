import { join } from 'node:path'
import type { Clock } from '@sluice/core'
import { type BadRow, IngestPipeline, type SourceState } from '@sluice/ingest'
import { Spool } from '@sluice/ingest/spool'
import type { Logger } from '../logger.js'
import { NodeUnavailableError } from '../nodes/node-unavailable-error.js'
import type { StoreNode } from '../nodes/store-node.js'
import type { BoardNotice, NoticeBoard } from '../notices/notice-board.js'
import { wordsOf } from '../notices/notices-of-pipeline.js'
import { SourceWatch } from '../notices/source-watch.js'
import { JsonFile } from '../state/json-file.js'
import { makeFolder, usingFolder } from '../state/using-folder.js'
import { BatchKeys, batchIn } from './batch-keys.js'
import type { BreakerOptions } from './breaker-options.js'
import type { DataSource } from './data-source.js'
import { DataSources } from './data-sources.js'
import { defineOnAll } from './define-on-all.js'
import { DefiningNode } from './defining-node.js'
import { PipelineState } from './pipeline-state.js'
import { Quarantine } from './quarantine.js'
import type { MisfitRow } from './rows/row-checker.js'

/** What ingest is made of. */
export interface IngestOptions {
  /** A folder that this process has for itself. */
  readonly folder: string
  readonly nodes: readonly StoreNode[]
  readonly board: NoticeBoard
  /** False: no protection of one data source from another. For measurements alone. */
  readonly isolation: boolean
  readonly breaker: BreakerOptions
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
  readonly #options: IngestOptions
  readonly #nodes: readonly DefiningNode[]
  readonly #state: PipelineState
  /** Since when a data source is as it is, where that has changed since the start. */
  readonly #since = new Map<string, number>()
  /** Until when a limit is likely to last. */
  readonly #limitedUntil = new Map<string, number | null>()
  #pipeline: IngestPipeline | undefined
  #stopSaving = (): void => {}

  /** Reads what is kept. @throws ConfigError where it cannot be used */
  static async open(options: IngestOptions): Promise<Ingest> {
    const { folder, nodes, clock, nowMs } = options
    const wallNow = () => clock.wallNow()
    // The nodes look definitions up where they will be.
    let sources: DataSources | undefined
    const defining = nodes.map((node) => new DefiningNode(node, (key) => sources?.get(key)))
    const define = (source: DataSource) => defineOnAll(defining, source, options.defineTimeoutMs)
    sources = await DataSources.open({ file: new JsonFile(join(folder, 'data-sources.json')), define, nowMs, wallNow })
    const quarantine = await Quarantine.open(join(folder, 'quarantine'), wallNow)
    const keys = await BatchKeys.open(join(folder, 'keys'), wallNow)
    const state = await PipelineState.open(new JsonFile(join(folder, 'pipeline.json')))
    return new Ingest(options, sources, quarantine, keys, defining, state)
  }

  private constructor(
    options: IngestOptions,
    sources: DataSources,
    quarantine: Quarantine,
    keys: BatchKeys,
    nodes: readonly DefiningNode[],
    state: PipelineState,
  ) {
    this.#options = options
    this.sources = sources
    this.quarantine = quarantine
    this.keys = keys
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
    const { board, isolation, breaker, logger, clock } = this.#options
    await makeFolder(events)
    const spool = await Spool.open(events)
    const { tornBytes, damaged } = spool.findings
    if (tornBytes > 0 || damaged.length > 0) logger.warn('spool was damaged', { tornBytes, stretches: damaged.length })
    if (damaged.length > 0) board.post(spoolDamaged(damaged))
    const found: Promise<void>[] = []
    const pipeline = await IngestPipeline.start({
      spool,
      nodes: this.#nodes,
      isolation,
      breaker,
      clock,
      flushIntervalMs: (key) => this.sources.get(key)?.definition.plan.flush_interval_ms ?? 1000,
      sourceBounds: (key) => boundsOf(this.sources.get(key)),
      quarantine: (key, bad) => this.quarantine.add(key, bad as readonly (BadRow & MisfitRow)[]), // takeBatch's
      noted: (_, note) => void found.push(this.#remember(note)),
      onError: (what, error) => logger.warn(what, { error: String(error) }),
      ...(this.#state.pipeline !== undefined && { saved: this.#state.pipeline }),
    })
    await Promise.all(found)
    for (const notice of pipeline.notices.list().notices) this.#since.set(notice.source, notice.atMs)
    pipeline.notices.subscribe((notice) => {
      if (notice.state !== notice.before) this.#since.set(notice.source, notice.atMs)
      this.#limitedUntil.set(notice.source, notice.state === 'limited' ? notice.untilMs : null)
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

  stateOf({ key, createdAtMs }: DataSource): { state: SourceState; sinceMs: number; limitedUntilMs: number | null } {
    const state = this.#pipeline?.notices.stateOf(key) ?? 'flowing'
    const limitedUntilMs = state === 'limited' ? (this.#limitedUntil.get(key) ?? null) : null
    return { state, sinceMs: this.#since.get(key) ?? createdAtMs, limitedUntilMs }
  }

  /** Where it is written. */
  nodeOf({ key }: DataSource): string {
    const { router, backlogs } = this.pipeline
    return router.forced.get(key) ?? backlogs.read(key).node ?? router.route(key, false).node
  }

  /**
   * Writes it to another node from now on, or where it belongs (null).
   * @throws what the node says, where its table cannot be made there
   */
  async reroute(source: DataSource, node: string | null, signal: AbortSignal): Promise<void> {
    const target = this.#nodes.find(({ name }) => name === node)
    await target?.ping(signal)
    await target?.define(source, signal)
    this.pipeline.backlogs.reroute(source.key, node)
    await this.save()
  }

  /** Puts on disk what is paused, limited, forced to a node, and how fresh all is. */
  async save(): Promise<void> {
    if (this.#pipeline) await this.#state.save(this.#pipeline, this.sources.all())
  }

  /** Accepts nothing more, writes what can be written; the rest waits on disk. */
  async close(graceMs: number): Promise<void> {
    this.#stopSaving()
    this.watch.close()
    const left = await this.#pipeline?.close(graceMs)
    if (left && left.rowsLeft > 0) this.#options.logger.warn('rows wait in the spool', left)
    await this.save().catch((error) => this.#notSaved(error))
    await Promise.all([this.keys.close(), this.quarantine.close()])
  }

  async #remember(note: string): Promise<void> {
    const batch = batchIn(note)
    if (batch && !(await this.keys.find(batch.source, batch.key))) await this.keys.add(batch)
  }

  /** As it was saved before it is there still: the next process knows that. */
  #notSaved(error: unknown): void {
    this.#options.logger.warn('state could not be saved', { error: String(error) })
  }

  #saveLater(): void {
    this.#stopSaving = this.#options.clock.timer(SAVE_EVERY_MS, () => {
      this.save().catch((error) => this.#notSaved(error))
      this.#saveLater()
    })
  }
}

/** What was acknowledged may be lost: nobody can tell any more whose it was. */
function spoolDamaged(damaged: Spool['findings']['damaged']): Omit<BoardNotice, 'number' | 'atMs'> {
  const bytes = damaged.reduce((sum, it) => sum + it.bytes, 0)
  const places = damaged.length === 1 ? 'in 1 place' : `in ${damaged.length} places`
  const message =
    `The disk gave back ${bytes} bytes of the spool ${places} as they were not written. Events of any data source that ` +
    'were in them are lost, unless they had been written to their node before. Check the disk.'
  return { level: 'error', kind: 'spool-damaged', source: null, message }
}

function boundsOf(source: DataSource | undefined): { maxSourceBytes?: number; maxSourceAgeMs?: number } {
  if (source === undefined) return {}
  const { backlog_max_bytes, backlog_max_age_s } = source.definition.plan
  return { maxSourceBytes: backlog_max_bytes, maxSourceAgeMs: backlog_max_age_s * 1000 }
}
