import { z } from 'zod'
import type { FieldFault } from '../field-fault.js'
import type { Slices } from '../slices.js'
import { linesIn, moment } from '../state/kept-form.js'
import { fileNameOf, LineLog } from '../state/line-log.js'
import { makeFolder } from '../state/using-folder.js'
import { Turns } from './batch/turns.js'
import type { MisfitRow } from './rows/row-checker.js'
import { partsOf } from './source-key.js'

/** A row in quarantine. */
export interface QuarantinedRow {
  readonly id: string
  /** Epoch milliseconds. */
  readonly atMs: number
  /** As it was sent, cut after 4 KiB. */
  readonly row: string
  readonly errors: readonly FieldFault[]
}

const schema: z.ZodType<QuarantinedRow> = z.object({
  id: z.string().regex(/^q-[0-9a-f]{8,12}$/),
  atMs: moment,
  row: z.string(),
  errors: z.array(z.object({ parameter: z.string(), value: z.string().exactOptional(), message: z.string() })).min(1),
})

/** Rows are kept for 30 days. */
const KEPT_MS = 30 * 86_400_000
const MOST_ROW_BYTES = 4096
/** Of one data source, twice: two files that take turns. Who sends nothing but bad rows pushes out only their own. */
const FILE_BYTES = 1_048_576
/** Data sources whose rows are read at once: they take ten times as much in memory. */
const READ_AT_ONCE = 4

interface Shelf {
  readonly log: LineLog
  /** Rows and the time of the oldest, where that is known; the number of the next. */
  known: { readonly rows: number; readonly oldestMs: number } | undefined
  /** How often rows were added. */
  added: number
  /** Read once, whoever comes first; again where that failed. */
  nextId: number
  ready: Promise<void> | undefined
}

/** Rows that did not fit, on disk: of each data source the newest, two megabytes at most. */
export class Quarantine {
  readonly #folder: string
  readonly #wallNow: () => number
  readonly #slices: Slices
  readonly #turns = new Turns(READ_AT_ONCE)
  readonly #shelves = new Map<string, Shelf>()

  static async open(folder: string, wallNow: () => number, slices: Slices): Promise<Quarantine> {
    await makeFolder(folder)
    return new Quarantine(folder, wallNow, slices)
  }

  private constructor(folder: string, wallNow: () => number, slices: Slices) {
    this.#folder = folder
    this.#wallNow = wallNow
    this.#slices = slices
  }

  /** Fulfils once they are on disk, those at least for which there is room. */
  async add(source: string, bad: readonly MisfitRow[]): Promise<void> {
    const shelf = this.#shelf(source)
    shelf.ready ??= this.#number(source, shelf).catch((error) => {
      shelf.ready = undefined
      throw error
    })
    await shelf.ready
    const atMs = Math.round(this.#wallNow())
    const lines: string[] = []
    let bytes = 0
    for (const { row, errors } of bad) {
      const id = `q-${(shelf.nextId++).toString(16).padStart(8, '0')}`
      const line = JSON.stringify({ id, atMs, row: cut(row), errors } satisfies QuarantinedRow)
      bytes += Buffer.byteLength(line)
      if (bytes > FILE_BYTES) break
      lines.push(line)
    }
    shelf.added += 1
    try {
      await shelf.log.append(lines, true)
    } finally {
      shelf.known = undefined // where that failed some may be there
    }
  }

  /** The rows of a data source, the newest first. */
  async list(source: string): Promise<readonly QuarantinedRow[]> {
    return (await this.#read(source, this.#shelf(source))).reverse()
  }

  async count(source: string): Promise<number> {
    const shelf = this.#shelf(source)
    if (shelf.known === undefined || shelf.known.oldestMs < this.#wallNow() - KEPT_MS) {
      const { added } = shelf
      const rows = await this.#read(source, shelf)
      if (shelf.added !== added) return rows.length // what came meanwhile may be among them or not
      shelf.known = { rows: rows.length, oldestMs: rows[0]?.atMs ?? Number.POSITIVE_INFINITY }
    }
    return shelf.known.rows
  }

  /** Takes all rows of a data source away. */
  async forget(source: string): Promise<void> {
    const { log } = this.#shelf(source)
    this.#shelves.delete(source)
    await log.remove()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#shelves.values()].map(({ log }) => log.close()))
  }

  async #number(source: string, shelf: Shelf): Promise<void> {
    const rows = await this.#read(source, shelf)
    shelf.nextId = Number.parseInt(rows.at(-1)?.id.slice(2) ?? '0', 16) + 1
  }

  #read(source: string, { log }: Shelf): Promise<QuarantinedRow[]> {
    const { tenant } = partsOf(source)
    const sinceMs = this.#wallNow() - KEPT_MS
    return this.#turns.take(tenant, async () => {
      const rows = await linesIn(schema, await log.read(), this.#slices.work(tenant))
      return rows.filter(({ atMs }) => atMs >= sinceMs)
    })
  }

  #shelf(source: string): Shelf {
    const log = () => new LineLog({ path: fileNameOf(this.#folder, source), maxBytes: FILE_BYTES, isKeptOpen: false })
    const shelf = this.#shelves.get(source) ?? { log: log(), known: undefined, added: 0, nextId: 1, ready: undefined }
    this.#shelves.set(source, shelf)
    return shelf
  }
}

/** Never within a character. */
function cut(row: string): string {
  const bytes = Buffer.from(row.slice(0, MOST_ROW_BYTES + 1)) // a character has a byte at least
  if (bytes.length <= MOST_ROW_BYTES) return row
  return new TextDecoder().decode(bytes.subarray(0, MOST_ROW_BYTES), { stream: true })
}
