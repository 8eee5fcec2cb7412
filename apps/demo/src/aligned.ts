import type { Paint } from './colour.js'

/** The rows of a table below one another, its head first: names to the left, figures to the right. */
export function aligned(rows: readonly (readonly string[])[], paint: Paint): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  const [head = '', ...rest] = rows.map((cells) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
  return [paint('bold', head), ...rest].join('\n')
}
