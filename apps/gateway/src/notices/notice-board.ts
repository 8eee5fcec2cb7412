import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Namespace } from '../ingest/source-key.js'
import { partsOf } from '../ingest/source-key.js'
import { lineIn, moment } from '../state/kept-form.js'
import { fileNameOf, LineLog } from '../state/line-log.js'
import { makeFolder } from '../state/using-folder.js'

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

const schema: z.ZodType<BoardNotice> = z.object({
  number: z.int().min(1).max(999_999_999_999_999), // as ids have it
  atMs: moment,
  level: z.enum(['info', 'warning', 'error']),
  kind: z.string(),
  source: z.string().nullable(),
  message: z.string(),
})

/** Notices are kept for 30 days, and of each tenant the newest: one whose data sources flap pushes out only their own. */
const KEPT_MS = 30 * 86_400_000
const MOST_NOTICES = 1000
/** Of each tenant, twice: two files that take turns, each with room for more notices than are kept. */
const FILE_BYTES = 1_048_576
/** Whose those are that are about no data source. No tenant is called so. */
const ALL = ''

interface Shelf {
  /** The oldest first. */
  kept: BoardNotice[]
  readonly log: LineLog | undefined
}

/** What all owners are told. Each of them is shown what is theirs. */
export class NoticeBoard {
  readonly #folder: string | undefined
  readonly #wallNow: () => number
  /** By tenant. */
  readonly #shelves = new Map<string, Shelf>()
  #lastNumber = 0
  readonly #listeners = new Set<() => void>()

  /** @param folder where they outlive the process; without it they are in memory alone */
  static async open(folder: string | undefined, wallNow: () => number): Promise<NoticeBoard> {
    const board = new NoticeBoard(folder, wallNow)
    if (folder === undefined) return board
    await makeFolder(folder)
    for (const path of await logsIn(folder)) {
      for (const line of await new LineLog({ path, maxBytes: FILE_BYTES }).read()) {
        const notice = lineIn(schema, line)
        if (notice !== undefined) board.#keep(notice)
      }
    }
    return board
  }

  private constructor(folder: string | undefined, wallNow: () => number) {
    this.#folder = folder
    this.#wallNow = wallNow
  }

  /** Puts one up. It is on disk a moment later; where that fails it is here all the same. */
  post(told: Omit<BoardNotice, 'number' | 'atMs'>): BoardNotice {
    const notice: BoardNotice = { number: this.#lastNumber + 1, atMs: Math.round(this.#wallNow()), ...told }
    const { log } = this.#keep(notice)
    void log?.append([JSON.stringify(notice)], false).catch(() => undefined)
    for (const listener of this.#listeners) listener()
    return notice
  }

  /** Those of a tenant, and those that are about nodes, after a number; the oldest first. */
  after(number: number, tenant: string): readonly BoardNotice[] {
    const sinceMs = this.#wallNow() - KEPT_MS
    return [tenant, ALL]
      .flatMap((whose) => newest(this.#shelves.get(whose)?.kept ?? [], number))
      .filter(({ atMs }) => atMs >= sinceMs)
      .sort((one, other) => one.number - other.number)
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
    await Promise.all([...this.#shelves.values()].map(({ log }) => log?.close()))
  }

  #keep(notice: BoardNotice): Shelf {
    const whose = notice.source === null ? ALL : partsOf(notice.source).tenant
    const shelf = this.#shelves.get(whose) ?? { kept: [], log: this.#logOf(whose) }
    this.#shelves.set(whose, shelf)
    shelf.kept.push(notice)
    // In pieces, so that a full list costs no more than another.
    if (shelf.kept.length >= 2 * MOST_NOTICES) shelf.kept = shelf.kept.slice(-MOST_NOTICES)
    this.#lastNumber = Math.max(this.#lastNumber, notice.number)
    return shelf
  }

  #logOf(whose: string): LineLog | undefined {
    if (this.#folder === undefined) return undefined
    return new LineLog({ path: fileNameOf(this.#folder, whose), maxBytes: FILE_BYTES })
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

/** From the end: whoever follows has seen all but the last. */
function newest(kept: readonly BoardNotice[], after: number): readonly BoardNotice[] {
  let from = kept.length
  while (from > 0 && (kept[from - 1]?.number ?? 0) > after) from--
  return kept.slice(Math.max(from, kept.length - MOST_NOTICES))
}

/** The logs of a folder, as {@link LineLog} is told of them: each is one file or two. */
async function logsIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).map((name) => /^([0-9a-f]{32})(\.1)?\.ndjson$/.exec(name)?.[1])
  return [...new Set(names)].flatMap((name) => (name === undefined ? [] : [join(folder, name)]))
}
