import { Command } from 'commander'
import { callCommand } from './call/command.js'
import { conformanceCommand } from './conformance/command.js'
import { decideCommand } from './decide/command.js'
import { generateCommand } from './generate/command.js'
import { mcpCommand } from './mcp/command.js'
import { replayCommand } from './replay/command.js'
import { requestCommand } from './request/command.js'
import { simulateCommand } from './simulate/command.js'
import { version } from './version.js'
import type { World } from './world.js'

/**
 * The whole command line. Its subcommands are described here and imported when they are called.
 * @param done takes the exit code of the subcommand that ran
 */
export function createProgram(world: World, done: (exitCode: number) => void): Command {
  const program = new Command('sluice')
    .description(
      'HTTP requests that back off well, written by hand or by an OpenAPI document; clients and MCP tools made from one; what the retry policy would do, and its conformance tables.',
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => world.stderr.write(text),
      outputError: () => {}, // run() tells it, in words or as JSON
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ subcommandTerm: (command) => `${command.name()} ${command.usage()}` })
    .version(version(), '-V, --version')
    .option('--no-retry', 'one attempt only; also SLUICE_NO_RETRY=1')
    .enablePositionalOptions()
    .addHelpText(
      'after',
      '\nTo begin with: sluice request GET https://api.example.com/items\nHelp on one of them: sluice request --help',
    )
  program.addCommand(requestCommand(program, world, done))
  program.addCommand(callCommand(program, world, done))
  program.addCommand(generateCommand(program, world, done))
  program.addCommand(mcpCommand(program, world, done))
  program.addCommand(decideCommand(program, world, done))
  program.addCommand(replayCommand(program, world, done))
  program.addCommand(simulateCommand(program, world, done))
  program.addCommand(conformanceCommand(program, world, done))
  return program
}
