import type { Recording } from '../metrics/recording.js'
import type { Server } from '../servers/server.js'
import type { World } from '../world/world.js'
import type { Fleet } from './fleet.js'

/** Writes down at the end of each second what is seen of the processes and of the server. */
export function watch({
  world,
  fleet,
  server,
  recording,
}: {
  world: World
  fleet: Fleet
  server: Server
  recording: Recording
}): void {
  let seen = fleet.snapshot()
  const look = (): void => {
    // To look is to ask, and who stands still is not asked: it would act.
    if (!world.isSuspended) seen = fleet.snapshot()
    const { inside, cores } = server
    const { limit, inFlight, queued, unknown } = seen
    recording.second({ limit, inFlight, queued, unknown, inside, busyCoreUs: cores.busyCoreUs, cores: cores.count })
    world.at(world.nowUs + 1e6, look)
  }
  world.at(1e6, look)
}
