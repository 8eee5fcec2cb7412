import type { Namespace } from '../ingest/source-key.js'
import { partsOf } from '../ingest/source-key.js'
import type { LineLog } from '../state/line-log.js'

/** Something that owners should know, as it is kept. */
export interface BoardNotice {
  /** 1, 2, 3 … */
  readonly number: number
  /** Epoch milliseconds. */
  readonly atMs: number
  readonly level: 'info' | 'warning' | 'error'
  readonly kind: string
  /** Key of what it is about; null where it is about a node. */
  readonly source: string | null
  readonly message: string
}

/** Notices are kept for 30 days, and the newest of them. */
const KEPT_MS = 30 * 86_400_000
const MOST_NOTICES = 10_000

/** What all owners are told. Each of them is shown what is theirs. */
export class NoticeBoard {
  readonly #log: LineLog | undefined
  readonly #wallNow: () => number
  #kept: BoardNotice[] = []
  #lastNumber = 0
  readonly #listeners = new Set<() => void>()

  /** @param log where they outlive the process; without it they are in memory alone */
  static async open(log: LineLog | undefined, wallNow: () => number): Promise<NoticeBoard> {
    const board = new NoticeBoard(log, wallNow)
    for (const line of (await log?.read()) ?? []) {
      const notice = noticeIn(line)
      if (notice === undefined) continue
      board.#kept.push(notice)
      board.#lastNumber = Math.max(board.#lastNumber, notice.number)
    }
    return board
  }

  private constructor(log: LineLog | undefined, wallNow: () => number) {
    this.#log = log
    this.#wallNow = wallNow
  }

  /** Puts one up. It is on disk a moment later; where that fails it is here all the same. */
  post(told: Omit<BoardNotice, 'number' | 'atMs'>): BoardNotice {
    const notice: BoardNotice = { number: ++this.#lastNumber, atMs: Math.round(this.#wallNow()), ...told }
    this.#kept.push(notice)
    if (this.#kept.length >= 2 * MOST_NOTICES) this.#kept = this.#kept.slice(-MOST_NOTICES)
    void this.#log?.append([JSON.stringify(notice)], false).catch(() => undefined)
    for (const listener of this.#listeners) listener()
    return notice
  }

  /** Those after a number, the oldest first. */
  after(number: number): readonly BoardNotice[] {
    const sinceMs = this.#wallNow() - KEPT_MS
    let from = this.#kept.length
    // From the end: whoever follows has seen all but the last.
    while (from > 0 && (this.#kept[from - 1]?.number ?? 0) > number) from--
    return this.#kept.slice(Math.max(from, this.#kept.length - MOST_NOTICES)).filter(({ atMs }) => atMs >= sinceMs)
  }

  get lastNumber(): number {
    return this.#lastNumber
  }

  /** Calls `listener` after each notice. @returns what ends it */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    await this.#log?.close()
  }
}

/** Whether a notice is one of a namespace, of a data source that its reader may see; of a node all are told. */
export function isFor(
  { source }: BoardNotice,
  { tenant, dataset }: Namespace,
  sees: (name: string) => boolean,
): boolean {
  if (source === null) return true
  const parts = partsOf(source)
  return parts.tenant === tenant && parts.dataset === dataset && sees(parts.name)
}

function noticeIn(line: string): BoardNotice | undefined {
  try {
    return JSON.parse(line) as BoardNotice // what is whole was written by post()
  } catch {
    return undefined
  }
}
