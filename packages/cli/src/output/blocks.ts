const WIDTH = 60
const BLOCKS = '▁▂▃▄▅▆▇█'

/** A stretch of time that a figure is of. */
export interface Stretch {
  readonly fromMs: number
  readonly toMs: number
}

/** A figure over time, as one row. */
export interface BlockRow {
  readonly name: string
  /** null: there is no figure, and a gap. */
  readonly values: readonly (number | null)[]
  /** What the lowest block stands for, and the highest. */
  readonly lowest: number
  readonly highest: number
  readonly text: (value: number) => string
}

export const known = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null)

/** Means over equal stretches of time, or one for each point where there are fewer points. */
export function spread<Point extends Stretch>(
  points: readonly Point[],
  figure: (point: Point) => number | null,
): (number | null)[] {
  const fromMs = points[0]?.fromMs ?? 0
  const first = points[0]
  const last = points.at(-1)
  if (first === undefined || last === undefined) return []
  const width = Math.min(WIDTH, Math.round((last.toMs - fromMs) / (first.toMs - fromMs)))
  const sums = Array.from({ length: width }, () => ({ sum: 0, count: 0 }))
  for (const point of points) {
    const value = figure(point)
    const bucket = sums[Math.floor(((point.fromMs - fromMs) / (last.toMs - fromMs)) * width)]
    if (value === null || bucket === undefined) continue
    bucket.sum += value
    bucket.count++
  }
  return sums.map(({ sum, count }) => (count === 0 ? null : sum / count))
}

/** @param nameWidth of the longest name, where rows stand under each other */
export function blockRow({ name, values, lowest, highest, text }: BlockRow, nameWidth: number): string {
  const block = (value: number | null): string => {
    if (value === null) return ' '
    const share = highest > lowest ? (value - lowest) / (highest - lowest) : 0
    return BLOCKS[Math.round(share * (BLOCKS.length - 1))] ?? ''
  }
  const least = text(Math.min(...known(values)))
  const range = least === text(highest) ? least : `${least} to ${text(highest)}`
  return `${name.padEnd(nameWidth)}  ${values.map(block).join('')}  ${range}`
}
