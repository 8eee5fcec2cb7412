import type { ReplayPoint } from '@sluice/core/replay'
import { middle, stretches } from '../../output/svg/line.js'
import type { Scale } from '../../output/svg/scale.js'

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
