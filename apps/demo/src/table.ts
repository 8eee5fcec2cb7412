import type { Paint, Style } from './colour.js'
import type { Figures } from './play.js'

interface Cell {
  readonly text: string
  readonly style?: Style
}

const HEAD: readonly Cell[] = ['', 'calls', 'sends', 'early knocks', 'failures', 'elapsed'].map((text) => ({
  text,
  style: 'bold',
}))

/** One line a client, names to the left, figures to the right. */
export function renderTable(figures: readonly Figures[], paint: Paint): string {
  const rows = [HEAD, ...figures.map(cellsOf)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.text.length ?? 0)))
  return rows
    .map((row) => row.map((cell, column) => padded(cell, widths[column] ?? 0, column === 0, paint)).join('  '))
    .join('\n')
}

function cellsOf({ name, calls, sends, earlyKnocks, failures, elapsedMs }: Figures): readonly Cell[] {
  return [
    { text: name },
    { text: String(calls) },
    { text: String(sends) },
    { text: String(earlyKnocks), style: earlyKnocks === 0 ? 'green' : 'yellow' },
    { text: String(failures), style: failures === 0 ? 'green' : 'red' },
    { text: `${(elapsedMs / 1000).toFixed(1)} s` },
  ]
}

/** Padded before it is painted: escape codes have no width. */
function padded({ text, style }: Cell, width: number, left: boolean, paint: Paint): string {
  const full = left ? text.padEnd(width) : text.padStart(width)
  return style === undefined ? full : paint(style, full)
}
