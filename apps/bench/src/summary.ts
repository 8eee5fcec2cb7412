/** Nanoseconds a call by suite and candidate, of one process start. */
export type Run = Record<string, Record<string, number>>

/** A figure over several process starts. */
export interface Spread {
  median: number
  min: number
  max: number
}

export const spread = (values: readonly number[]): Spread => {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (index: number): number => sorted[index] ?? Number.NaN
  return { median: at(Math.floor(sorted.length / 2)), min: at(0), max: at(sorted.length - 1) }
}

/** One candidate: what it adds to the yardstick, and that as a ratio to what Sluice adds, start by start. */
export interface Row {
  name: string
  ns: Spread
  overheadNs: Spread
  /** Sluice's overhead divided by this one's: below 1, Sluice adds less. */
  sluiceRatio: Spread | null
}

/** The rows of one suite; its first candidate is the yardstick, its second is Sluice. */
export function summarize(runs: readonly Run[], suite: string): Row[] {
  const names = Object.keys(runs[0]?.[suite] ?? {})
  const [yardstick = '', sluice = ''] = names
  const of = (run: Run, name: string): number => run[suite]?.[name] ?? Number.NaN
  const overhead = (run: Run, name: string): number => of(run, name) - of(run, yardstick)
  return names.map((name) => ({
    name,
    ns: spread(runs.map((run) => of(run, name))),
    overheadNs: spread(runs.map((run) => overhead(run, name))),
    sluiceRatio:
      name === yardstick || name === sluice
        ? null
        : spread(runs.map((run) => overhead(run, sluice) / overhead(run, name))),
  }))
}

const ns = (value: number): string =>
  Math.abs(value) < 1000 ? `${value.toFixed(0)} ns` : `${(value / 1000).toFixed(1)} µs`

/** A Markdown table of one suite. */
export function table(rows: readonly Row[]): string {
  const ratio = (one: Spread | null): string =>
    one ? `${one.median.toFixed(2)}× (${one.min.toFixed(2)}–${one.max.toFixed(2)})` : ''
  const lines = rows.map(
    (row, i) =>
      `| ${row.name} | ${ns(row.ns.median)} | ${i === 0 ? '' : ns(row.overheadNs.median)} | ${ratio(row.sluiceRatio)} |`,
  )
  return ['| | a call | it adds | Sluice adds, of that |', '|---|---|---|---|', ...lines].join('\n')
}
