import type { World } from '../world/world.js'
import { factorOf, type LoadPlan } from './load-plan.js'

/** Users who call, read the answer, think, and call again: a closed loop, which a slow server slows down by itself. */
export interface ClosedLoad extends LoadPlan {
  /** How many there are at factor 1. */
  readonly users: number
  /** Mean time between an answer and the next call, in ms, exponential. */
  readonly thinkMs: number
}

/** Who is not there looks again after so long, in µs. */
const AWAY_US = 1e6

/**
 * Lets users come and go. Each begins by thinking, so that they do not all call at once.
 *
 * @param call makes one call, and says when it has ended
 */
export function use(
  world: World,
  load: ClosedLoad,
  { name, call }: { name: string; call: (ended: () => void) => void },
): void {
  const stream = world.stream(name)
  const factorAt = factorOf(load)
  const thinkUs = load.thinkMs * 1000
  const live = (user: number): void => {
    const isThere = user < Math.round(load.users * factorAt(world.nowUs / 1e6))
    const next = (): void => void world.at(world.nowUs + stream.exponential(thinkUs), () => live(user))
    if (isThere) call(next)
    else world.at(world.nowUs + AWAY_US, () => live(user))
  }
  const most = Math.round(load.users * Math.max(...load.points.map((point) => point.factor)))
  for (let user = 0; user < most; user++) world.at(world.nowUs + stream.exponential(thinkUs), () => live(user))
}
