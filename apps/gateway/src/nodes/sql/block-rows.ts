import { BLOCK_COLUMN } from './table-sql.js'

const QUOTE = 0x22

/**
 * The rows of a block as JSONEachRow, each with its block's id. A row is JSON text of an object, as it was accepted: it
 * is not parsed, its first brace is replaced. A row that has the column itself is one with a member twice, which every
 * version of the engine refuses.
 */
export function blockRows(id: string, rows: readonly string[]): string {
  const member = `{${JSON.stringify(BLOCK_COLUMN)}:${JSON.stringify(id)}`
  const prefix = `${member},`
  let text = ''
  for (const row of rows) {
    // Nearly always: no space before the brace, nor before its first member.
    if (row.startsWith('{') && row.charCodeAt(1) === QUOTE) text += `${prefix}${row.slice(1)}\n`
    else {
      const rest = row.trim().slice(1).trimStart()
      text += `${rest.startsWith('}') ? member : prefix}${rest}\n`
    }
  }
  return text
}
