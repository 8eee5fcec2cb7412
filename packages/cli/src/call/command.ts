import { Command } from 'commander'
import type { World } from '../world.js'

/**
 * `sluice call`. Its arguments are handed on as they are: which flags there are is known when the document was read.
 */
export function callCommand(program: Command, world: World, done: (exitCode: number) => void): Command {
  return new Command('call')
    .copyInheritedSettings(program)
    .summary('call an operation of an OpenAPI document by its name')
    .usage('OPERATION [flags]')
    .argument('[arguments...]')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (args: string[]) => {
      const { callOperation } = await import('./call-operation.js')
      done(await callOperation(program, world, args))
    })
}
