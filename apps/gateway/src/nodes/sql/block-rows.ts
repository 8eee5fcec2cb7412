import type { Block } from '@sluice/ingest'
import { copyFew, FEW_BYTES, viewOf } from '../../copy-few.js'
import { BLOCK_COLUMN } from './table-sql.js'

const [LINE_FEED, QUOTE, OPEN] = [0x0a, 0x22, 0x7b]

/**
 * The rows of a block as JSONEachRow, each with its block's id. A row is JSON text of an object, as it was accepted: it
 * is not parsed, its first brace is replaced. A row that has the column itself is one with a member twice, which every
 * version of the engine refuses.
 */
export function blockRows({ id, count, lines }: Pick<Block, 'id' | 'count' | 'lines'>): Buffer {
  const member = `{${JSON.stringify(BLOCK_COLUMN)}:${JSON.stringify(id)}`
  const prefix = Buffer.from(`${member},`)
  const rows = Buffer.from(lines.buffer, lines.byteOffset, lines.length)
  // Room for each row's prefix and line feed; what is trimmed or left out of a row makes it shorter.
  const written = Buffer.allocUnsafe(rows.length + count * (prefix.length + 1))
  const [prefixView, rowsView, writtenView] = [viewOf(prefix), viewOf(rows), viewOf(written)]
  let at = 0
  for (let from = 0; from < rows.length; ) {
    const feed = rows.indexOf(LINE_FEED, from)
    const end = feed < 0 ? rows.length : feed
    // Nearly always: no space before the brace, nor before its first member.
    if (rows[from] === OPEN && rows[from + 1] === QUOTE) {
      copyFew(prefixView, 0, prefix.length, writtenView, at)
      at += prefix.length
      if (end - from > FEW_BYTES) rows.copy(written, at, from + 1, end)
      else copyFew(rowsView, from + 1, end, writtenView, at)
      at += end - from - 1
    } else {
      const rest = rows.toString('utf8', from, end).trim().slice(1).trimStart()
      at += written.write(`${member}${rest.startsWith('}') ? '' : ','}${rest}`, at)
    }
    written[at++] = LINE_FEED
    from = end + 1
  }
  return written.subarray(0, at)
}
