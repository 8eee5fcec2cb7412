import type { TimelinePoint } from '@sluice/simulator'
import { blockRow, known, spread } from '../output/blocks.js'
import { latencyText } from '../output/figures.js'
import { NO_LIMIT } from './no-limit.js'
import type { RunResult } from './run-result.js'

const number = (value: number): string => `${Number(value.toPrecision(3))}`

const ROWS: readonly { name: string; of: (point: TimelinePoint) => number | null; text: (value: number) => string }[] =
  [
    { name: 'limit', of: ({ limit }) => (limit < NO_LIMIT ? limit : null), text: number },
    { name: 'in flight', of: ({ inFlight }) => inFlight, text: number },
    { name: 'p90', of: ({ p90Ms }) => p90Ms, text: latencyText },
    { name: 'batch', of: ({ batchSlowdown }) => batchSlowdown, text: number },
  ]

/** Limit, calls in flight, latency and batch slow-down over time, each from its lowest to its highest. */
export function sketch({ timeline }: RunResult): string[] {
  return ROWS.flatMap(({ name, of, text }) => {
    const values = spread(timeline, of)
    const there = known(values)
    if (there.length === 0) return []
    return [blockRow({ name, values, lowest: Math.min(...there), highest: Math.max(...there), text }, 9)]
  })
}
