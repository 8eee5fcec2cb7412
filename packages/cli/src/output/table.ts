import { printable } from './voice.js'

/** Rows under a head, in columns; all but the first column and `left` are figures, and stand to the right. */
export function table(rows: readonly (readonly string[])[], left: readonly number[] = []): string[] {
  const clean = rows.map((row) => row.map((cell) => printable(cell).replaceAll('\n', ' ')))
  const widths = (clean[0] ?? []).map((_, i) => Math.max(...clean.map((row) => row[i]?.length ?? 0)))
  return clean.map((row) =>
    row
      .map((cell, i) => (i === 0 || left.includes(i) ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}
