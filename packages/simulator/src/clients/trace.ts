import type { World } from '../world/world.js'

/** Calls that came somewhere once, and come again. */
export interface TraceLoad {
  /** When each came, in ms from the beginning, in order. */
  readonly arrivalsMs: readonly number[]
}

/** Lets them come as they came. */
export function retrace(world: World, { arrivalsMs }: TraceLoad, call: () => void): void {
  const next = (at: number): void => {
    const ms = arrivalsMs[at]
    if (ms === undefined) return
    world.at(ms * 1000, () => {
      next(at + 1)
      call()
    })
  }
  next(0)
}
