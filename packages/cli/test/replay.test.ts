import { specTable } from '@sluice/conformance'
import { replay } from '@sluice/conformance/vitest'
import { VirtualClock } from '@sluice/core/testing'
import { commandCall } from './command-call.js'
import { commandDecision } from './command-decision.js'
import { memoryWorld } from './memory-world.js'
import { replaySurface } from './surface-cli.js'
import { scenariosForCommands } from './tables-for-commands.js'

/** Subcommands are imported when they are first called, which takes real time: done before the virtual clock runs. */
const load = async (): Promise<typeof import('@sluice/cli')> => {
  const cli = await import('@sluice/cli')
  for (const argv of [
    ['request', 'GET', 'nowhere'],
    ['decide', 'nothing'],
  ])
    await cli.run(memoryWorld({ argv }).world)
  return cli
}

replay(
  '@sluice/cli',
  load,
  (cli) => ({ call: (call) => commandCall(call, cli), decide: (row) => commandDecision(row, cli) }),
  {
    makeClock: (wallNow) => new VirtualClock(wallNow),
    tables: [specTable('retry-cases'), scenariosForCommands()],
  },
)

replaySurface(load)
