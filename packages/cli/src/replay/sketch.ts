import type { ReplayPoint, ReplayResult } from '@sluice/core/replay'
import { latencyText } from './words.js'

const WIDTH = 60
const BLOCKS = '▁▂▃▄▅▆▇█'

/** Latency and limit over time, each in one row of blocks from its lowest to its highest. A gap is a time without a figure. */
export function sketch({ points, options }: ReplayResult): string[] {
  const p90 = spread(points, (point) => point.p90Ms)
  const limit = spread(points, (point) => point.limit)
  const highest = options.maxConcurrent
  return [
    row('p90', p90, Math.min(...known(p90)), Math.max(...known(p90)), latencyText),
    row('limit', limit, Math.min(...known(limit), highest - 1), highest, (value) => `${Math.round(value)}`),
  ]
}

const known = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null)

/** Means over equal stretches of time, or one for each point where there are fewer points. */
function spread(points: readonly ReplayPoint[], figure: (point: ReplayPoint) => number | null): (number | null)[] {
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

function row(
  name: string,
  values: readonly (number | null)[],
  lowest: number,
  highest: number,
  text: (value: number) => string,
): string {
  const block = (value: number | null): string => {
    if (value === null) return ' '
    const share = highest > lowest ? (value - lowest) / (highest - lowest) : 0
    return BLOCKS[Math.round(share * (BLOCKS.length - 1))] ?? ''
  }
  const least = text(Math.min(...known(values)))
  const range = least === text(highest) ? least : `${least} to ${text(highest)}`
  return `${name.padEnd(5)}  ${values.map(block).join('')}  ${range}`
}
