import type { Stretch } from '../blocks.js'
import type { Scale } from './scale.js'

/** A gap of more than so many points is shown as one: nothing was measured there. */
const GAP = 3

export const middle = ({ fromMs, toMs }: Stretch): number => (fromMs + toMs) / 2

/** Stretches of points that follow upon each other, with a figure each. */
export function stretches<Point extends Stretch>(points: readonly Point[], has: (point: Point) => boolean): Point[][] {
  const all: Point[][] = []
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
export function lineOf<Point extends Stretch>(
  points: readonly Point[],
  x: Scale,
  y: (point: Point) => number | null,
): string {
  return stretches(points, (point) => y(point) !== null)
    .map((stretch) => {
      const [first] = stretch
      if (stretch.length === 1 && first !== undefined) return `M${x(first.fromMs)} ${y(first)}H${x(first.toMs)}`
      return stretch.map((point, i) => `${i === 0 ? 'M' : 'L'}${x(middle(point))} ${y(point)}`).join('')
    })
    .join('')
}
