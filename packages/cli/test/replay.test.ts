import { replay } from '@sluice/conformance/vitest'
import { VirtualClock } from '@sluice/core/testing'
import { commandCall } from './command-call.js'
import { commandDecision } from './command-decision.js'
import { memoryWorld } from './memory-world.js'
import { replaySurface } from './surface-cli.js'

/** Subcommands are imported when they are first called, which takes real time: done before the virtual clock runs. */
const load = async (): Promise<typeof import('@sluice/cli')> => {
  const cli = await import('@sluice/cli')
  for (const argv of [
    ['request', 'GET', 'nowhere'],
    ['decide', 'nothing'],
    ['decide', '429', '--policy', '{"no_such_field":1}'],
  ])
    await cli.run(memoryWorld({ argv }).world)
  return cli
}

replay(
  '@sluice/cli',
  load,
  (cli) => ({
    call: (call) => commandCall(call, cli),
    decide: (row) => commandDecision(row, cli),
    consumesAnswer: true, // a command prints it, or lets go of it where S1 keeps it off stdout
  }),
  { makeClock: (wallNow) => new VirtualClock(wallNow) },
)

replaySurface(load)
