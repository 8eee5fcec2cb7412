import uPlot from 'uplot'
import { type ChartSpec, dashOf, type Series, widthOf } from './series.js'

/** What a chart is drawn with. */
export interface Look {
  readonly width: number
  readonly height: number
  /** The value of a custom property, in the theme that is on. */
  readonly colourOf: (property: string) => string
  readonly timeOf: (second: number) => string
  /** Draws what lies behind the lines. */
  readonly behind: (plot: uPlot) => void
  /** Told which sample the pointer is at; null: at none. */
  readonly onPointed: (index: number | null) => void
}

/** Steps of a scale that are whole. */
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000]
const FONT = '12px system-ui, sans-serif'

/** A specification in uPlot's terms. */
export function uplotOptions({ series, leastTop }: ChartSpec, look: Look): uPlot.Options {
  const { width, height, colourOf, timeOf, behind, onPointed } = look
  const axis = { stroke: colourOf('--muted'), font: FONT, ticks: { show: false } }
  const grid = { stroke: colourOf('--grid'), width: 1 }
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, sync: { key: 'sluice' }, points: { size: 7 } },
    scales: { x: { time: true }, y: { range: (_, __, max) => [0, Math.max(leastTop, max * 1.12)] } },
    axes: [
      { ...axis, grid: { show: false }, space: 90, size: 28, values: (_, splits) => splits.map(timeOf) },
      { ...axis, grid, space: 20, size: 46, incrs: STEPS },
    ],
    series: [{}, ...series.map((it) => seriesOptions(it, colourOf))],
    hooks: {
      drawClear: [behind],
      setCursor: [(plot) => onPointed(plot.cursor.idx ?? null)],
    },
  }
}

function seriesOptions({ label, colour, stroke, stepped }: Series, colourOf: Look['colourOf']): uPlot.Series {
  const drawn = colourOf(colour)
  return {
    label,
    stroke: drawn,
    width: widthOf(stroke),
    dash: dashOf(stroke),
    points: { show: false },
    ...(stroke === 'area' && { fill: `${drawn}2e` }), // the same, for the most part transparent
    ...(stepped && uPlot.paths.stepped && { paths: uPlot.paths.stepped({ align: 1 }) }),
  }
}
