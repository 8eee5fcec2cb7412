import type { World } from '../world/world.js'
import { arrive, type OpenLoad } from './arrivals.js'
import { retrace, type TraceLoad } from './trace.js'
import { type ClosedLoad, use } from './users.js'

/** What makes calls come. */
export type Load = OpenLoad | ClosedLoad | TraceLoad

/**
 * Lets the calls of a load come.
 * @param name of its stream of random numbers
 * @param call makes one, and says when it has ended
 */
export function begin(
  world: World,
  load: Load,
  { name, call }: { name: string; call: (ended?: () => void) => void },
): void {
  if ('users' in load) use(world, load, { name, call })
  else if ('arrivalsMs' in load) retrace(world, load, call)
  else arrive(world, load, { name, call })
}
