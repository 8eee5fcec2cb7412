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

const of = (run: Run, suite: string, name: string): number => run[suite]?.[name] ?? Number.NaN

/** The rows of one suite; its first candidate is the yardstick, its second is Sluice. */
export function summarize(runs: readonly Run[], suite: string): Row[] {
  const names = Object.keys(runs[0]?.[suite] ?? {})
  const [yardstick = '', sluice = ''] = names
  const overhead = (run: Run, name: string): number => of(run, suite, name) - of(run, suite, yardstick)
  return names.map((name) => ({
    name,
    ns: spread(runs.map((run) => of(run, suite, name))),
    overheadNs: spread(runs.map((run) => overhead(run, name))),
    sluiceRatio:
      name === yardstick || name === sluice
        ? null
        : spread(runs.map((run) => overhead(run, sluice) / overhead(run, name))),
  }))
}

/** A figure that stands alone, or among others without a yardstick. */
export interface Figure {
  name: string
  value: Spread
}

export const figures = (runs: readonly Run[], suite: string): Figure[] =>
  Object.keys(runs[0]?.[suite] ?? {}).map((name) => ({
    name,
    value: spread(runs.map((run) => of(run, suite, name))),
  }))

/** The key of a candidate among so many. */
export const atSize = (name: string, size: number): string => `${name} @ ${size}`

/** A candidate among few and among many. */
export interface Growth {
  name: string
  few: Spread
  many: Spread
  /** Many divided by few, start by start: 1 says that it does not matter how many there are. */
  times: Spread
}

export function growth(runs: readonly Run[], suite: string, [few, many]: readonly [number, number]): Growth[] {
  const end = atSize('', few)
  return Object.keys(runs[0]?.[suite] ?? {})
    .filter((key) => key.endsWith(end))
    .map((key) => {
      const name = key.slice(0, -end.length)
      const at = (run: Run, size: number): number => of(run, suite, atSize(name, size))
      return {
        name,
        few: spread(runs.map((run) => at(run, few))),
        many: spread(runs.map((run) => at(run, many))),
        times: spread(runs.map((run) => at(run, many) / at(run, few))),
      }
    })
}
