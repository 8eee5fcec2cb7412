import type { Batch } from '../servers/batch.js'
import type { Server } from '../servers/server.js'
import type { World } from '../world/world.js'
import type { Fault } from './scenario.js'

/** Lets a fault happen. */
export function strike(
  fault: Fault,
  { world, server, batch }: { world: World; server: Server; batch: Batch | null },
): void {
  switch (fault.kind) {
    case 'cores':
      server.cores.change({ cores: fault.cores })
      break
    case 'speed':
      server.cores.change({ speed: fault.factor })
      break
    case 'work':
      server.setWorkFactor(fault.factor)
      break
    case 'crash':
      server.crash()
      batch?.restart()
      break
    case 'restart':
      server.restart()
      break
    case 'batch':
      if (fault.on) batch?.start()
      else batch?.stop()
      break
    case 'wall_clock':
      world.stepWall(fault.stepMs)
  }
}
