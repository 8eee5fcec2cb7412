import type { Block } from '@sluice/ingest'
import { copyFew, FEW_BYTES, viewOf } from '../../copy-few.js'
import { BLOCK_COLUMN } from './table-sql.js'

const [LINE_FEED, QUOTE, OPEN] = [0x0a, 0x22, 0x7b]
/** A block with more has room of its own, which is let go of when it is done. */
const MOST_BYTES = 4_194_304

/**
 * The rows of a block as JSONEachRow, each with its block's id. A row is JSON text of an object, as it was accepted: it
 * is not parsed, its first brace is replaced. A row that has the column itself is one with a member twice, which every
 * version of the engine refuses.
 */
export class BlockRows {
  #room = Buffer.alloc(0)
  #written = this.#room
  #view = viewOf(this.#room)
  #at = 0

  /** @returns in room that the next block is laid out in: it has to be sent by then, and to be {@link done} */
  of({ id, count, pieces }: Pick<Block, 'id' | 'count' | 'pieces'>): Buffer {
    const member = `{${JSON.stringify(BLOCK_COLUMN)}:${JSON.stringify(id)}`
    const prefix = Buffer.from(`${member},`)
    // Room for each row's prefix and line feed; what is trimmed or left out of a row makes it shorter.
    this.#clear(pieces.reduce((sum, { length }) => sum + length, count * (prefix.length + 1)))
    for (const piece of pieces) this.#add(Buffer.from(piece.buffer, piece.byteOffset, piece.length), member, prefix)
    return this.#written.subarray(0, this.#at)
  }

  /** What was laid out is no longer needed. */
  done(): void {
    this.#written = this.#room
    this.#view = viewOf(this.#room)
  }

  #add(rows: Buffer, member: string, prefix: Buffer): void {
    const written = this.#written
    const view = this.#view
    const [prefixView, rowsView] = [viewOf(prefix), viewOf(rows)]
    let at = this.#at
    for (let from = 0; from < rows.length; ) {
      const feed = rows.indexOf(LINE_FEED, from)
      const end = feed < 0 ? rows.length : feed
      // Nearly always: no space before the brace, nor before its first member.
      if (rows[from] === OPEN && rows[from + 1] === QUOTE) {
        copyFew(prefixView, 0, prefix.length, view, at)
        at += prefix.length
        if (end - from > FEW_BYTES) rows.copy(written, at, from + 1, end)
        else copyFew(rowsView, from + 1, end, view, at)
        at += end - from - 1
      } else {
        const rest = rows.toString('utf8', from, end).trim().slice(1).trimStart()
        at += written.write(`${member}${rest.startsWith('}') ? '' : ','}${rest}`, at)
      }
      written[at++] = LINE_FEED
      from = end + 1
    }
    this.#at = at
  }

  #clear(bytes: number): void {
    if (bytes > this.#room.length && bytes <= MOST_BYTES) this.#room = Buffer.allocUnsafeSlow(bytes)
    this.#written = bytes > MOST_BYTES ? Buffer.allocUnsafeSlow(bytes) : this.#room
    this.#view = viewOf(this.#written)
    this.#at = 0
  }
}

/** So many are kept for the blocks that come: as many as mostly are under way. */
const MOST_IDLE = 4

/** Where blocks are laid out that are under way at the same time. */
export class BlockRooms {
  readonly #idle: BlockRows[] = []

  take(): BlockRows {
    return this.#idle.pop() ?? new BlockRows()
  }

  give(rows: BlockRows): void {
    rows.done()
    if (this.#idle.length < MOST_IDLE) this.#idle.push(rows)
  }
}
