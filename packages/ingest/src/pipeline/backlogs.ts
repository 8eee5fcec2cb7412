import type { Clock } from '@sluice/core'
import type { Notices, SourceState } from '../notices/notices.js'
import type { Router } from '../route/router.js'
import { type Chunk, letGo } from './chunk.js'
import { checked } from './delivery.js'
import type { DurableSpool } from './durable-spool.js'
import type { Flusher } from './flusher.js'
import type { IngestEvent } from './payload.js'
import type { Queues } from './queues.js'
import { rowsOfLines } from './rows-of-lines.js'
import type { SourceGuard } from './source-guard.js'

/** What of one data source is accepted and not written. */
export interface SourceBacklog {
  readonly source: string
  readonly state: SourceState
  readonly isPaused: boolean
  readonly rows: number
  /** As they lie in the spool. */
  readonly bytes: number
  /** When its oldest event came, in epoch ms; null: nothing waits. */
  readonly oldestAtMs: number | null
  /** The partition of which most rows are due. */
  readonly hottest: { readonly partition: string; readonly rows: number } | null
  /** Blocks that are being written or looked up just now. */
  readonly blocksUnderWay: number
  /** Blocks beside these of which nobody knows yet whether they are written. */
  readonly unknownBlocks: number
  /** Rows that went elsewhere while their node could not be asked (I4), since this process began. */
  readonly maybeDuplicatedRows: number
  /** Rows a second that it may send (I3); null: as many as it likes. */
  readonly rowsPerSecond: number | null
  /** Where its blocks went last; null: none did. */
  readonly node: string | null
}

/** What backlogs are made of. */
export interface BacklogsOptions {
  readonly spool: DurableSpool
  readonly queues: Queues
  readonly guard: SourceGuard
  readonly notices: Notices
  readonly router: Router
  readonly flusher: Flusher
  readonly clock: Clock
  /** What of it was gathered is due at once. */
  readonly gathered: (source: string) => void
  /** Whether events of it are on their way to the disk. */
  readonly isComing: (source: string) => boolean
  /** Fulfils when what is written so far is marked as done, or that has failed. */
  readonly marked: () => Promise<void>
}

/** Events were accepted, and their owner dropped them before they were written. */
export class DroppedError extends Error {
  override readonly name = 'DroppedError'
}

/** What waits of each data source, and what its owner can do about it. */
export class Backlogs {
  readonly #options: BacklogsOptions

  constructor(options: BacklogsOptions) {
    this.#options = options
  }

  /** Those of which something waits, the largest first. */
  list(): SourceBacklog[] {
    const open = this.#options.queues.all().filter(({ openRows, isPausedByOwner }) => openRows > 0 || isPausedByOwner)
    return open.map(({ name }) => this.read(name)).sort((one, other) => other.bytes - one.bytes)
  }

  read(source: string): SourceBacklog {
    const { spool, queues, guard, notices } = this.#options
    const queue = queues.find(source)
    const { isPausedByOwner: isPaused = false, openRows: rows = 0, hottest = null } = queue ?? {}
    const { maybeDuplicatedRows = 0, node = null } = queue ?? {}
    const unknownBlocks = queue?.again.filter(({ unknownOn }) => unknownOn.size > 0).length ?? 0
    const { bytes, oldestAtMs } = spool.backlog(source)
    const blocks = { blocksUnderWay: queue?.underWay ?? 0, unknownBlocks }
    const counts = { ...blocks, maybeDuplicatedRows, rowsPerSecond: guard.rowsPerSecond(source) }
    return { source, state: notices.stateOf(source), isPaused, rows, bytes, oldestAtMs, hottest, ...counts, node }
  }

  /**
   * Whether nothing of it is left that another process would find, and nothing on its way: it may be forgotten, as long as
   * no more of it is accepted.
   */
  async isEmpty(source: string): Promise<boolean> {
    await this.#options.marked()
    const { rows, bytes, blocksUnderWay } = this.read(source)
    return rows === 0 && bytes === 0 && blocksUnderWay === 0 && !this.#options.isComing(source)
  }

  /**
   * Writes nothing of it until it is resumed; events are still accepted. Begins nothing from this call on, and fulfils once
   * what is under way has ended. Blocks of which nobody knows (`unknownBlocks`) are looked up when it is resumed; until then
   * their node may write them yet.
   * @param withinMs so long it waits at most. Default 10 000.
   * @returns blocks that are under way still: each may be written yet
   */
  async pause(source: string, withinMs = 10_000): Promise<number> {
    const { queues, clock } = this.#options
    const queue = queues.of(source)
    queue.isPausedByOwner = true
    let stop = (): void => {}
    const late = new Promise<void>((resolve) => {
      stop = clock.timer(withinMs, resolve)
    })
    await Promise.race([queue.quiet(), late])
    stop()
    return queue.underWay
  }

  resume(source: string): void {
    const { queues, flusher, clock } = this.#options
    const queue = queues.of(source)
    queue.isPausedByOwner = false
    queue.ageFromMs = clock.now()
    flusher.pump()
  }

  /**
   * The rows that wait of it, as they are in the spool, the oldest first. What is under way is not among them, and of the
   * others some may be written meanwhile, unless it is paused.
   */
  async *export(source: string): AsyncGenerator<IngestEvent> {
    for (const chunk of this.#waiting(source)) {
      const [lines] = await this.#options.spool.readParts([chunk])
      if (lines) for (const row of rowsOfLines(checked(chunk, lines))) yield { partition: chunk.partition, row }
    }
  }

  /**
   * Drops what waits of it now, for good. What is under way is waited for; that it was dropped is a notice (I7).
   * @returns rows that were dropped. Those of a block of which nobody knew may be written all the same
   * @throws what the spool says: then nothing was dropped
   */
  async drop(source: string): Promise<number> {
    const { spool, queues, guard, notices, flusher, gathered } = this.#options
    const queue = queues.find(source)
    if (!queue) return 0
    queue.holds++ // so that nothing of it begins
    try {
      await queue.quiet()
      gathered(source)
      const sequences = new Set(queue.records.keys())
      if (sequences.size === 0) return 0
      await spool.done([...sequences, ...queue.again.flatMap(({ claims }) => [...claims.values()])])
      const before = queue.openRows
      queues.drop(queue, sequences, new DroppedError(`the backlog of ${source} was dropped`))
      const rows = before - queue.openRows // another drop may have been faster
      if (rows === 0) return 0
      guard.refused(source, 0)
      notices.record(source, `its owner dropped a backlog of ${rows} row${rows === 1 ? '' : 's'}`)
      return rows
    } finally {
      queue.holds--
      flusher.pump()
    }
  }

  /**
   * Sends its blocks to one node from now on; null: where they belong. What may be on another is looked up there first.
   * @throws TypeError for a node that there is not
   */
  reroute(source: string, node: string | null): void {
    this.#options.router.force(source, node)
    this.#options.flusher.pump()
  }

  /**
   * What of it waits and is not under way, that included which is gathered; as it lies in the spool. None of its rows: who
   * reads an export slowly must not have them kept in memory.
   */
  #waiting(source: string): Chunk[] {
    const queue = this.#options.queues.find(source)
    if (!queue) return []
    queue.holds++ // to look at it is no reason to write it
    this.#options.gathered(source)
    queue.holds--
    return queue.waiting.map(letGo).sort((one, other) => one.sequence - other.sequence || one.offset - other.offset)
  }
}
