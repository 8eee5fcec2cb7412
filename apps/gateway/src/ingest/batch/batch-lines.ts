import type { IngestLines } from '@sluice/ingest'
import { copyFew, FEW_BYTES, viewOf } from '../../copy-few.js'

const LINE_FEED = 10
/** So much room has a partition at first, unless it is the first of a body: that one mostly has all of it. */
const LEAST_BYTES = 4096

/** What is kept of a row: all of it but for some gaps, each from and to. */
export interface KeptOfRow {
  readonly partition: string
  readonly gaps: ArrayLike<number>
  /** So many numbers of them are this row's. */
  readonly gapsUsed: number
}

interface Lines {
  readonly partition: string
  bytes: Buffer
  view: DataView
  length: number
  count: number
}

/**
 * Rows of a body as they are kept: by partition, a line each, as bytes. What lies together in the body is copied together, be
 * it of many rows.
 */
export class BatchLines {
  readonly #body: Uint8Array
  readonly #view: DataView
  readonly #all = new Map<string, Lines>()
  #last: Lines | undefined
  /** Of the body, what belongs to the last partition and is not copied yet. */
  #from = 0
  #end = 0
  rows = 0

  constructor(body: Uint8Array) {
    this.#body = body
    this.#view = viewOf(body)
  }

  /** Of how many partitions it has rows. */
  get partitions(): number {
    return this.#all.size
  }

  /** A row of the body. */
  add({ partition, gaps, gapsUsed }: KeptOfRow, from: number, end: number): void {
    const lines = this.#of(partition)
    if (lines.count > 0 && this.#body[from - 1] === LINE_FEED) this.#take(from - 1, from)
    else this.#feed(lines)
    this.#count(lines)
    let at = from
    for (let i = 0; i < gapsUsed; i += 2) {
      this.#take(at, gaps[i] ?? end)
      at = gaps[i + 1] ?? end
    }
    this.#take(at, end)
  }

  /** A row that is kept in other words than it was sent. */
  addText(partition: string, row: string): void {
    const lines = this.#of(partition)
    this.#feed(lines)
    this.#count(lines)
    grow(lines, Buffer.byteLength(row))
    lines.length += lines.bytes.write(row, lines.length)
  }

  all(): IngestLines[] {
    this.#copy()
    return Array.from(this.#all.values(), ({ partition, bytes, length, count }) => {
      return { partition, lines: bytes.subarray(0, length), count }
    })
  }

  #of(partition: string): Lines {
    if (partition === this.#last?.partition) return this.#last
    this.#copy()
    const known = this.#all.get(partition)
    const lines = known ?? linesOf(partition, this.#all.size === 0 ? this.#body.length : LEAST_BYTES)
    if (!known) this.#all.set(partition, lines)
    this.#last = lines
    return lines
  }

  #count(lines: Lines): void {
    lines.count++
    this.rows++
  }

  /** Begins another line, unless it is the first. */
  #feed(lines: Lines): void {
    this.#copy()
    if (lines.count === 0) return
    grow(lines, 1)
    lines.bytes[lines.length++] = LINE_FEED
  }

  #take(from: number, end: number): void {
    if (from !== this.#end) {
      this.#copy()
      this.#from = from
    }
    this.#end = end
  }

  #copy(): void {
    const [lines, bytes] = [this.#last, this.#end - this.#from]
    if (lines && bytes > 0) {
      grow(lines, bytes)
      if (bytes > FEW_BYTES) lines.bytes.set(this.#body.subarray(this.#from, this.#end), lines.length)
      else copyFew(this.#view, this.#from, this.#end, lines.view, lines.length)
      lines.length += bytes
    }
    this.#from = this.#end
  }
}

function linesOf(partition: string, room: number): Lines {
  const bytes = Buffer.allocUnsafe(room)
  return { partition, bytes, view: viewOf(bytes), length: 0, count: 0 }
}

/** Room for so many more. */
function grow(lines: Lines, bytes: number): void {
  const wanted = lines.length + bytes
  if (wanted <= lines.bytes.length) return
  const grown = Buffer.allocUnsafe(Math.max(wanted, lines.bytes.length * 2))
  lines.bytes.copy(grown, 0, 0, lines.length)
  lines.bytes = grown
  lines.view = viewOf(grown)
}
