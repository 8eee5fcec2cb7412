import type { World } from '../world/world.js'

/** How many calls a second come, from a moment on. */
export interface LoadPoint {
  readonly atS: number
  /** Of the rate. */
  readonly factor: number
}

/** Calls that come whether or not earlier ones were answered: an open loop. */
export interface OpenLoad {
  /** Calls a second at factor 1. */
  readonly ratePerSecond: number
  /** In order of time. Between two points the factor goes straight from one to the other, or stays until the next. */
  readonly points: readonly LoadPoint[]
  readonly between: 'steps' | 'lines'
}

/**
 * A Poisson process whose rate changes: candidates come at the highest rate, and each is taken with the share that the
 * rate of its moment has of the highest (thinning; Lewis and Shedler, 1979).
 *
 * @param name of the stream that decides, so that two loads of one world do not move together
 */
export function arrive(world: World, load: OpenLoad, { name, call }: { name: string; call: () => void }): void {
  const stream = world.stream(name)
  const { ratePerSecond, points } = load
  const highest = Math.max(...points.map((point) => point.factor))
  if (highest <= 0) return
  const meanUs = 1e6 / (ratePerSecond * highest)
  let segment = 0
  const next = (): void => {
    world.at(world.nowUs + stream.exponential(meanUs), () => {
      const taken = stream.next() * highest < factorAt(world.nowUs / 1e6)
      next()
      if (taken) call()
    })
  }
  /** Asked with times that only grow. */
  const factorAt = (s: number): number => {
    while (segment + 1 < points.length && (points[segment + 1]?.atS ?? Number.POSITIVE_INFINITY) <= s) segment++
    const from = points[segment]
    const to = points[segment + 1]
    if (from === undefined || s < from.atS) return 0
    if (to === undefined || load.between === 'steps') return from.factor
    return from.factor + ((s - from.atS) / (to.atS - from.atS)) * (to.factor - from.factor)
  }
  next()
}
