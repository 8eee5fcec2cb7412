import { CommanderError } from 'commander'
import { OutputError } from './output/output-error.js'
import { ReaderGoneError } from './output/reader-gone-error.js'
import { voiceOf } from './output/voice.js'
import { createProgram } from './program.js'
import { UsageError } from './usage-error.js'
import type { World } from './world.js'

/** Nothing was done: the command line, or a file that it names, is at fault. */
const USAGE = 2

/** Reads the command line and runs its subcommand. @returns as `run` */
export async function runCommandLine(world: World): Promise<number> {
  let exitCode = 0
  const voice = voiceOf(world)
  const wantsJson = untilDashes(world.argv).some((argument) => /^--(json|report)$/.test(argument))
  const fail = async (code: string, message: string, more: object = {}): Promise<void> =>
    wantsJson ? voice.json({ code, message, ...more }) : voice.error(message)
  try {
    await createProgram(world, (code) => {
      exitCode = code
    }).parseAsync(world.argv, { from: 'user' })
    return exitCode
  } catch (error) {
    if (world.signal.aborted) return 130 // without a message
    if (error instanceof ReaderGoneError) return 0
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0 // --help and --version
      if (error.code !== 'commander.help') await fail('usage', wordsOf(error))
      return USAGE
    }
    if (error instanceof UsageError) {
      await fail('usage', error.message, error.field === undefined ? {} : { field: error.field })
      return USAGE
    }
    await fail(
      error instanceof OutputError ? 'output' : 'internal',
      error instanceof Error ? error.message : String(error),
    )
    return 1
  }
}

/** A URL or a method in the place of a command is meant for `request`; what the URL holds is not repeated. */
function wordsOf({ code, message }: CommanderError): string {
  if (code === 'commander.unknownCommand' && /'([A-Z]+|.*[:/].*)'/.test(message))
    return 'give the command first: sluice request GET https://…'
  return message.replace(/^error: /, '')
}

/** What follows `--` belongs to another command. */
const untilDashes = (argv: readonly string[]): readonly string[] => {
  const dashes = argv.indexOf('--')
  return dashes < 0 ? argv : argv.slice(0, dashes)
}
