import type { BenchSuite } from './suite.js'
import { type Figure, figures, type Growth, growth, type Row, type Run, type Spread, summarize } from './summary.js'

const ns = (value: number): string => {
  const size = Math.abs(value)
  if (size >= 1e6) return `${(value / 1e6).toFixed(1)} ms`
  if (size >= 1000) return `${(value / 1000).toFixed(1)} µs`
  return `${value.toFixed(size < 10 ? 1 : 0)} ns`
}

const bytes = (value: number): string => `${Math.round(value)} B`

const ratio = (one: Spread | null): string =>
  one ? `${one.median.toFixed(2)}× (${one.min.toFixed(2)}–${one.max.toFixed(2)})` : ''

const markdown = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** What each adds to the yardstick, and Sluice beside it. */
export const overheadTable = (rows: readonly Row[], unit: string): string =>
  markdown(
    ['', unit, 'it adds', 'Sluice adds, of that'],
    rows.map((row, i) => [
      row.name,
      ns(row.ns.median),
      i === 0 ? '' : ns(row.overheadNs.median),
      ratio(row.sluiceRatio),
    ]),
  )

/** @param aims the most that each should be, in the rows' order */
export const aloneTable = (rows: readonly Figure[], aims: readonly number[]): string =>
  markdown(
    ['', 'median', 'range', 'aim, at most'],
    rows.map(({ name, value }, i) => [
      name,
      ns(value.median),
      `${ns(value.min)}–${ns(value.max)}`,
      ns(aims[i] ?? Number.NaN),
    ]),
  )

export const growthTable = (rows: readonly Growth[], unit: string, [few, many]: readonly [number, number]): string =>
  markdown(
    ['', `${unit} among ${few}`, `among ${many}`, 'times'],
    rows.map((row) => [row.name, ns(row.few.median), ns(row.many.median), ratio(row.times)]),
  )

export const memoryTable = (rows: readonly Figure[]): string =>
  markdown(
    ['', 'a key', 'range'],
    rows.map(({ name, value }) => [name, bytes(value.median), `${bytes(value.min)}–${bytes(value.max)}`]),
  )

/** A Markdown table of one suite. */
export function table(suite: BenchSuite, runs: readonly Run[]): string {
  switch (suite.kind) {
    case 'calls':
      return overheadTable(summarize(runs, suite.name), 'a call')
    case 'batches':
      return overheadTable(summarize(runs, suite.name), suite.unit)
    case 'alone':
      return aloneTable(
        figures(runs, suite.name),
        suite.candidates.map(({ aimNs }) => aimNs),
      )
    case 'growth':
      return growthTable(growth(runs, suite.name, suite.sizes), suite.unit, suite.sizes)
    case 'memory':
      return memoryTable(figures(runs, suite.name))
  }
}
