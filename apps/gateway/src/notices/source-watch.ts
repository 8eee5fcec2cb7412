import type { Clock } from '@sluice/core'
import type { SourceBacklog } from '@sluice/ingest'
import type { DataSource } from '../ingest/data-source.js'
import type { NoticeBoard } from './notice-board.js'

/** How often backlogs are looked at. */
const EVERY_MS = 1000
/** Bad rows of a data source that come within this of the last ones told are not told again. */
const QUIET_MS = 600_000

/** What is watched. */
export interface SourceWatchOptions {
  readonly board: NoticeBoard
  /** What waits, of each data source that has something waiting. */
  readonly backlogs: () => readonly SourceBacklog[]
  readonly find: (key: string) => DataSource | undefined
  readonly clock: Clock
}

/** Tells owners what no state machine tells: events that wait for too long, and rows that do not fit. */
export class SourceWatch {
  readonly #options: SourceWatchOptions
  #old: ReadonlySet<string> = new Set()
  readonly #quarantinedAtMs = new Map<string, number>()
  #stop: () => void

  constructor(options: SourceWatchOptions) {
    this.#options = options
    this.#stop = options.clock.timer(EVERY_MS, () => this.#look())
  }

  /** Rows of a data source went into quarantine. */
  quarantined({ key, name }: DataSource, rows: number): void {
    const { board, clock } = this.#options
    const now = clock.now()
    if (now - (this.#quarantinedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return
    this.#quarantinedAtMs.set(key, now)
    const message = `${rows} row${rows === 1 ? '' : 's'} for "${name}" did not fit its schema. listQuarantine shows why.`
    board.post({ level: 'warning', kind: 'quarantined', source: key, message })
  }

  close(): void {
    this.#stop()
  }

  #look(): void {
    const { backlogs, board, find, clock } = this.#options
    this.#stop = clock.timer(EVERY_MS, () => this.#look())
    const old = new Set<string>()
    for (const { source: key, oldestAtMs, rows } of backlogs()) {
      const source = find(key)
      if (source === undefined || oldestAtMs === null || rows === 0) continue
      const { backlog_max_age_s: most } = source.definition.plan
      if (clock.wallNow() - oldestAtMs <= most * 1000) continue
      old.add(key)
      if (this.#old.has(key)) continue
      const message = `Events of "${source.name}" wait for more than ${most} s. No more are accepted until they are written.`
      board.post({ level: 'error', kind: 'old-events', source: key, message })
    }
    this.#old = old
  }
}
