import type { ReplayPoint } from '@sluice/core/replay'
import type { Scale } from './scale.js'

/** A gap of more than so many points is shown as one: nothing was measured there. */
const GAP = 3

const middle = ({ fromMs, toMs }: ReplayPoint): number => (fromMs + toMs) / 2

/** Stretches of points that follow upon each other, with a figure each. */
function stretches(points: readonly ReplayPoint[], has: (point: ReplayPoint) => boolean): ReplayPoint[][] {
  const all: ReplayPoint[][] = []
  for (const point of points) {
    if (!has(point)) continue
    const last = all.at(-1)
    const before = last?.at(-1)
    const isNext = before !== undefined && point.fromMs - before.toMs <= GAP * (point.toMs - point.fromMs)
    if (last !== undefined && isNext) last.push(point)
    else all.push([point])
  }
  return all
}

/** From middle to middle; a point that stands alone is a dash as long as it lasted. */
export function lineOf(points: readonly ReplayPoint[], x: Scale, y: (point: ReplayPoint) => number | null): string {
  return stretches(points, (point) => y(point) !== null)
    .map((stretch) => {
      const [first] = stretch
      if (stretch.length === 1 && first !== undefined) return `M${x(first.fromMs)} ${y(first)}H${x(first.toMs)}`
      return stretch.map((point, i) => `${i === 0 ? 'M' : 'L'}${x(middle(point))} ${y(point)}`).join('')
    })
    .join('')
}

/** What lies between two lines. */
export function areaOf(
  points: readonly ReplayPoint[],
  x: Scale,
  top: (point: ReplayPoint) => number,
  bottom: (point: ReplayPoint) => number,
): string {
  return stretches(points, (point) => point.p90Ms !== null)
    .map((stretch) => {
      const above = stretch.map((point, i) => `${i === 0 ? 'M' : 'L'}${x(middle(point))} ${top(point)}`)
      const below = [...stretch].reverse().map((point) => `L${x(middle(point))} ${bottom(point)}`)
      return `${above.join('')}${below.join('')}Z`
    })
    .join('')
}

/** In steps: what a window came to holds from its end on, and before the first one nothing had changed. */
export function stepsOf(
  points: readonly ReplayPoint[],
  windowMs: number,
  x: Scale,
  y: (point: ReplayPoint) => number,
  before: number,
): string {
  const [first] = points
  const end = points.at(-1)?.toMs ?? 0
  if (first === undefined) return ''
  const steps = points.map((point) => `H${x(Math.min(end, point.fromMs + windowMs))}V${y(point)}`)
  return `M${x(first.fromMs)} ${before}${steps.join('')}H${x(end)}`
}
