import { setTimeout as sleep } from 'node:timers/promises'
import type { TestProcess } from '../test/nodes/servers.js'

/** Starts a server that was killed. Its port may have become some connection's own meanwhile, for a moment. */
export async function restarted(server: TestProcess): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await server.restart()
    } catch (error) {
      if (tries === 10) throw error
      await sleep(500)
    }
  }
}
