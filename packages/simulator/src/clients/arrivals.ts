import type { World } from '../world/world.js'
import { factorOf, type LoadPlan } from './load-plan.js'

/** Calls that come whether or not earlier ones were answered: an open loop. */
export interface OpenLoad extends LoadPlan {
  /** Calls a second at factor 1. */
  readonly ratePerSecond: number
}

/**
 * A Poisson process whose rate changes: candidates come at the highest rate, and each is taken with the share that the
 * rate of its moment has of the highest (thinning; Lewis and Shedler, 1979).
 *
 * @param name of the stream that decides, so that two loads of one world do not move together
 */
export function arrive(world: World, load: OpenLoad, { name, call }: { name: string; call: () => void }): void {
  const stream = world.stream(name)
  const highest = Math.max(...load.points.map((point) => point.factor))
  if (highest <= 0) return
  const meanUs = 1e6 / (load.ratePerSecond * highest)
  const factorAt = factorOf(load)
  const arrived = (): void => {
    const taken = stream.next() * highest < factorAt(world.nowUs / 1e6)
    next()
    if (taken) call()
  }
  const next = (): void => void world.at(world.nowUs + stream.exponential(meanUs), arrived)
  next()
}
