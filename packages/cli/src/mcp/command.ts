import { Command } from 'commander'
import type { World } from '../world.js'

/** `sluice mcp`: all that follows is for the command of @sluice/mcp, which is imported when it is called. */
export function mcpCommand(program: Command, world: World, done: (exitCode: number) => void): Command {
  return new Command('mcp')
    .copyInheritedSettings(program)
    .summary('serve the operations of an OpenAPI document as MCP tools')
    .helpOption(false)
    .argument('[arguments...]')
    .usage('[options]')
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (argv: string[]) => {
      const { run } = await import('@sluice/mcp')
      const noRetry = program.opts().retry === false ? ['--no-retry'] : []
      done(await run({ ...world, name: 'sluice mcp', argv: [...noRetry, ...argv] }))
    })
}
