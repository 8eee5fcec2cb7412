import type { Mix } from '../clients/mix.js'
import type { Batch } from '../servers/batch.js'
import type { Server } from '../servers/server.js'
import type { World } from '../world/world.js'
import type { Fault } from './scenario.js'

/** What faults are done to. */
export interface Struck {
  readonly world: World
  readonly server: Server
  readonly batch: Batch | null
  readonly mix: Mix
}

/** Lets a fault happen when it is to happen, as often as it is to happen. */
export function planFault(fault: Fault, struck: Struck): void {
  const { everyS, untilS = Number.POSITIVE_INFINITY } = fault
  const planAt = (atS: number): void =>
    void struck.world.at(atS * 1e6, () => {
      strike(fault, struck)
      if (everyS !== undefined && atS + everyS < untilS) planAt(atS + everyS)
    })
  planAt(fault.atS)
}

function strike(fault: Fault, { world, server, batch, mix }: Struck): void {
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
    case 'grow':
      server.growWork(fault.factor)
      break
    case 'mix':
      mix.change(fault.shares)
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
      break
    case 'suspend':
      world.suspend(fault.forS * 1000)
  }
}
