import type { Clock } from '@sluice/core'
import type { Notices, SourceState } from '../notices/notices.js'
import type { Router } from '../route/router.js'
import type { DurableSpool } from './durable-spool.js'
import type { Flusher } from './flusher.js'
import { rowsOfBlock } from './ingest-node.js'
import { type IngestEvent, stretchesOf } from './payload.js'
import type { Queues } from './queues.js'
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
  /** Blocks of which nobody knows yet whether they are written. */
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
    const open = this.#options.queues.all().filter(({ openRows, isPaused }) => openRows > 0 || isPaused)
    return open.map(({ name }) => this.read(name)).sort((one, other) => other.bytes - one.bytes)
  }

  read(source: string): SourceBacklog {
    const { spool, queues, guard, notices } = this.#options
    const queue = queues.find(source)
    const { isPaused = false, openRows: rows = 0, hottest = null, maybeDuplicatedRows = 0, node = null } = queue ?? {}
    const unknownBlocks = queue?.again.filter(({ unknownOn }) => unknownOn.size > 0).length ?? 0
    const { bytes, oldestAtMs } = spool.backlog(source)
    const counts = { unknownBlocks, maybeDuplicatedRows, rowsPerSecond: guard.rowsPerSecond(source) }
    return { source, state: notices.stateOf(source), isPaused, rows, bytes, oldestAtMs, hottest, ...counts, node }
  }

  /** Writes nothing of it until it is resumed; events are still accepted. */
  pause(source: string): void {
    this.#options.queues.of(source).isPaused = true
  }

  resume(source: string): void {
    const { queues, flusher, clock } = this.#options
    const queue = queues.of(source)
    queue.isPaused = false
    queue.ageFromMs = clock.now()
    flusher.pump()
  }

  /** All that waits of it, as it is in the spool, the oldest first. Some of it may be written meanwhile. */
  async *export(source: string): AsyncGenerator<IngestEvent> {
    const { spool, queues } = this.#options
    for (const sequence of [...(queues.find(source)?.records.keys() ?? [])])
      for (const { payload } of await spool.read([sequence]))
        for (const { partition, lines } of stretchesOf(payload))
          for (const row of rowsOfBlock({ lines })) yield { partition, row }
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
    const wasPaused = queue.isPaused
    queue.isPaused = true // so that nothing of it begins
    try {
      await queue.quiet()
      gathered(source)
      const sequences = new Set(queue.records.keys())
      const rows = queue.openRows
      if (rows === 0) return 0
      await spool.done([...sequences, ...queue.again.flatMap(({ claims }) => [...claims.values()])])
      queues.drop(queue, sequences, new DroppedError(`the backlog of ${source} was dropped`))
      guard.refused(source, 0)
      notices.record(source, `its owner dropped a backlog of ${rows} rows`)
      return rows
    } finally {
      queue.isPaused = wasPaused
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
}
