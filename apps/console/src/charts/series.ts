import type { Figure } from '../status/history.js'

/** How a line is told from the others without its colour. */
export type Stroke = 'thick' | 'solid' | 'dashed' | 'dotted' | 'thin' | 'area'

/** One figure, as tables and legends write it. */
export interface Column {
  readonly figure: Figure
  readonly label: string
  readonly format: (value: number) => string
}

/** One line of a chart. */
export interface Series extends Column {
  /** A custom property of the style sheet. */
  readonly colour: string
  readonly stroke: Stroke
  /** Holds its value until the next sample, as counts do. */
  readonly stepped: boolean
}

/** One chart. */
export interface ChartSpec {
  readonly title: string
  readonly caption: string
  /** The later ones are drawn over the earlier ones. */
  readonly series: readonly Series[]
  /** What the table under it has besides: what the chart shows otherwise than by a line. */
  readonly also: readonly Column[]
  /** The least that the top of the scale is. */
  readonly leastTop: number
}

const WIDTHS: Readonly<Record<Stroke, number>> = { thick: 4, solid: 2.5, dashed: 2, dotted: 2, thin: 1, area: 1.5 }
const DASHES: Readonly<Partial<Record<Stroke, number[]>>> = { dashed: [9, 6], dotted: [2, 4] }

export const widthOf = (stroke: Stroke): number => WIDTHS[stroke]
export const dashOf = (stroke: Stroke): number[] => DASHES[stroke] ?? []

export const inMs = (value: number): string => `${value < 100 ? value.toFixed(1) : Math.round(value)} ms`
const asCount = (value: number): string => String(value)
const asRatio = (value: number): string => value.toFixed(2)
const asYes = (value: number): string => (value > 0 ? 'yes' : 'no')

const count = (figure: Figure, label: string, colour: string, stroke: Stroke): Series => {
  return { figure, label, colour, stroke, stepped: true, format: asCount }
}

/** What is shown of each node's limit. */
export const CHARTS: readonly ChartSpec[] = [
  {
    title: 'Limit',
    caption: 'Queries that may run at once, why, and how many do',
    series: [
      count('in_flight', 'In flight', '--c-flight', 'area'),
      count('limit', 'Limit', '--c-limit', 'thick'),
      count('throttle_ceiling', 'Throttle ceiling', '--c-throttle', 'dashed'),
      count('latency_ceiling', 'Latency ceiling', '--c-latency', 'dotted'),
    ],
    also: [
      { figure: 'past_limit', label: 'Past the limit', format: asCount },
      { figure: 'throttles', label: 'Throttles', format: asCount },
      { figure: 'held', label: 'On hold', format: asYes },
    ],
    leastTop: 4,
  },
  {
    title: 'Latency',
    caption: 'What nine of ten queries took at most: in the last window, smoothed, and usually',
    series: [
      { figure: 'p90_ms', label: 'p90', colour: '--c-p90', stroke: 'thin', stepped: true, format: inMs },
      {
        figure: 'smoothed_ms',
        label: 'Smoothed',
        colour: '--c-smoothed',
        stroke: 'solid',
        stepped: false,
        format: inMs,
      },
      { figure: 'baseline_ms', label: 'Baseline', colour: '--c-limit', stroke: 'dashed', stepped: false, format: inMs },
    ],
    also: [{ figure: 'ratio', label: 'Ratio', format: asRatio }],
    leastTop: 10,
  },
  {
    title: 'Queue',
    caption: 'Queries that wait for a slot',
    series: [count('queued', 'Queued', '--c-queued', 'area')],
    also: [],
    leastTop: 4,
  },
]
