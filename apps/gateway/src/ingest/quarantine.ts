import { mkdir } from 'node:fs/promises'
import type { FieldFault } from '../field-fault.js'
import { fileNameOf, LineLog } from '../state/line-log.js'
import type { MisfitRow } from './rows/row-checker.js'

/** A row in quarantine. */
export interface QuarantinedRow {
  readonly id: string
  /** Epoch milliseconds. */
  readonly atMs: number
  /** As it was sent, cut after 4 KiB. */
  readonly row: string
  readonly errors: readonly FieldFault[]
}

/** Rows are kept for 30 days. */
const KEPT_MS = 30 * 86_400_000
const MOST_ROW_BYTES = 4096
/** Of one data source, twice: two files that take turns. Who sends nothing but bad rows pushes out only their own. */
const FILE_BYTES = 1_048_576

interface Shelf {
  readonly log: LineLog
  /** Rows and the time of the oldest, where that is known; the number of the next. */
  known: { readonly rows: number; readonly oldestMs: number } | undefined
  /** Read once, whoever comes first. */
  nextId: number
  ready: Promise<void> | undefined
}

/** Rows that did not fit, on disk: of each data source the newest, two megabytes at most. */
export class Quarantine {
  readonly #folder: string
  readonly #wallNow: () => number
  readonly #shelves = new Map<string, Shelf>()

  static async open(folder: string, wallNow: () => number): Promise<Quarantine> {
    await mkdir(folder, { recursive: true })
    return new Quarantine(folder, wallNow)
  }

  private constructor(folder: string, wallNow: () => number) {
    this.#folder = folder
    this.#wallNow = wallNow
  }

  /** Fulfils once they are on disk, those at least for which there is room. */
  async add(source: string, bad: readonly MisfitRow[]): Promise<void> {
    const shelf = this.#shelf(source)
    shelf.ready ??= this.#read(shelf).then((rows) => {
      shelf.nextId = Number.parseInt(rows.at(-1)?.id.slice(2) ?? '0', 16) + 1
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
    await shelf.log.append(lines, true)
    shelf.known = undefined
  }

  /** The rows of a data source, the newest first. */
  async list(source: string): Promise<readonly QuarantinedRow[]> {
    return (await this.#read(this.#shelf(source))).reverse()
  }

  async count(source: string): Promise<number> {
    const shelf = this.#shelf(source)
    if (shelf.known === undefined || shelf.known.oldestMs < this.#wallNow() - KEPT_MS) {
      const rows = await this.#read(shelf)
      shelf.known = { rows: rows.length, oldestMs: rows[0]?.atMs ?? Number.POSITIVE_INFINITY }
    }
    return shelf.known.rows
  }

  async close(): Promise<void> {
    await Promise.all([...this.#shelves.values()].map(({ log }) => log.close()))
  }

  async #read({ log }: Shelf): Promise<QuarantinedRow[]> {
    const sinceMs = this.#wallNow() - KEPT_MS
    return (await log.read()).flatMap((line) => {
      const row = readLine(line)
      return row !== undefined && row.atMs >= sinceMs ? [row] : []
    })
  }

  #shelf(source: string): Shelf {
    const log = () => new LineLog({ path: fileNameOf(this.#folder, source), maxBytes: FILE_BYTES })
    const shelf = this.#shelves.get(source) ?? { log: log(), known: undefined, nextId: 1, ready: undefined }
    this.#shelves.set(source, shelf)
    return shelf
  }
}

function readLine(line: string): QuarantinedRow | undefined {
  try {
    return JSON.parse(line) as QuarantinedRow // a line that is whole was written above
  } catch {
    return undefined
  }
}

/** Never within a character. */
function cut(row: string): string {
  const bytes = Buffer.from(row)
  if (bytes.length <= MOST_ROW_BYTES) return row
  return new TextDecoder().decode(bytes.subarray(0, MOST_ROW_BYTES), { stream: true })
}
