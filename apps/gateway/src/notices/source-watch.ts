import type { Clock } from '@sluice/core'
import type { SourceBacklog } from '@sluice/ingest'
import { counted } from '../counted.js'
import type { DataSource } from '../ingest/data-source.js'
import type { NoticeBoard } from './notice-board.js'

/** How often backlogs are looked at. */
const EVERY_MS = 1000
/** Bad rows of a data source that come within this of the last ones told are told together, when it has passed. */
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
  /** By data source, since its bad rows were told: how many came. */
  readonly #quarantined = new Map<string, { readonly toldAtMs: number; rows: number }>()
  #stop: () => void

  constructor(options: SourceWatchOptions) {
    this.#options = options
    this.#stop = options.clock.timer(EVERY_MS, () => this.#look())
  }

  /** Rows of a data source went into quarantine. */
  quarantined(source: DataSource, rows: number): void {
    const since = this.#quarantined.get(source.key)
    if (since !== undefined) since.rows += rows
    else this.#tellQuarantined(source, counted(rows, 'row'))
  }

  close(): void {
    this.#stop()
  }

  #tellQuarantined({ key, name }: DataSource, many: string): void {
    const { board, clock } = this.#options
    this.#quarantined.set(key, { toldAtMs: clock.now(), rows: 0 })
    const message = `${many} for "${name}" did not fit its schema. listQuarantine shows why.`
    board.post({ level: 'warning', kind: 'quarantined', source: key, message })
  }

  #tellQuarantinedSince(): void {
    const { find, clock } = this.#options
    for (const [key, { toldAtMs, rows }] of this.#quarantined) {
      if (clock.now() - toldAtMs < QUIET_MS) continue
      this.#quarantined.delete(key)
      const source = rows > 0 ? find(key) : undefined
      if (source !== undefined) this.#tellQuarantined(source, `In the last 10 minutes ${counted(rows, 'more row')}`)
    }
  }

  #look(): void {
    const { backlogs, board, find, clock } = this.#options
    this.#stop = clock.timer(EVERY_MS, () => this.#look())
    this.#tellQuarantinedSince()
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
