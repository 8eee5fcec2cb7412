import type { ReplayResult } from '@sluice/core/replay'
import { blockRow, known, spread } from '../output/blocks.js'
import { latencyText } from '../output/figures.js'

/** Latency and limit over time, each in one row of blocks from its lowest to its highest. A gap is a time without a figure. */
export function sketch({ points, options }: ReplayResult): string[] {
  const p90 = spread(points, (point) => point.p90Ms)
  const limit = spread(points, (point) => point.limit)
  const highest = options.maxConcurrent
  const rows = [
    { name: 'p90', values: p90, lowest: Math.min(...known(p90)), highest: Math.max(...known(p90)), text: latencyText },
    {
      ...{ name: 'limit', values: limit, lowest: Math.min(...known(limit), highest - 1), highest },
      text: (value: number) => `${Math.round(value)}`,
    },
  ]
  return rows.map((row) => blockRow(row, 5))
}
