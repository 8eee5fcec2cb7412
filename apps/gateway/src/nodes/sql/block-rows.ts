import { isAscii } from 'node:buffer'
import { type Block, rowsOfBlock } from '@sluice/ingest'
import { BLOCK_COLUMN } from './table-sql.js'

/** What nearly every row begins with, behind the one before: no space before its brace, nor before its first member. */
const BEGINNING = /\n\{"/g

/**
 * The rows of a block as JSONEachRow, each with its block's id. A row is JSON text of an object, as it was accepted: it
 * is not parsed, its first brace is replaced. A row that has the column itself is one with a member twice, which every
 * version of the engine refuses.
 */
export function blockRows({ id, count, lines }: Pick<Block, 'id' | 'count' | 'lines'>): Buffer {
  const member = `{${JSON.stringify(BLOCK_COLUMN)}:${JSON.stringify(id)}`
  const beginning = `\n${member},"`
  // In all rows at once, and byte by byte: whatever they say, bytes stay what they are.
  const text = `\n${Buffer.from(lines.buffer, lines.byteOffset, lines.length).toString('latin1')}\n`
  const all = text.replace(BEGINNING, beginning.replaceAll('$', '$$$$'))
  if (isAscii(Buffer.from(id)) && all.length === text.length + count * (beginning.length - 3))
    return Buffer.from(all.slice(1), 'latin1')
  const each = rowsOfBlock({ lines }).map((row) => {
    const rest = row.trim().slice(1).trimStart()
    return `${member}${rest.startsWith('}') ? '' : ','}${rest}\n`
  })
  return Buffer.from(each.join(''))
}
