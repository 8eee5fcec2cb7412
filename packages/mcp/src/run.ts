import { CommanderError } from 'commander'
import { createProgram } from './command/program.js'
import { visible } from './tools/plain-text.js'
import { UsageError } from './usage-error.js'
import type { World } from './world.js'

/**
 * Runs `sluice-mcp` with everything handed in, and never ends the process. Serves until the signal aborts or, over
 * stdio, stdin ends.
 * @returns the exit code: 0 served to the end, 1 a failure, 2 usage: nothing was served
 */
export async function run(world: World): Promise<number> {
  const fail = (code: number, message: string): number => {
    world.stderr.write(`Error: ${visible(message)}\n`)
    return code
  }
  try {
    await createProgram(world).parseAsync(world.argv, { from: 'user' })
    return 0
  } catch (error) {
    if (world.signal.aborted) return 0 // asked to end before it began
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? 0 : fail(2, error.message.replace(/^error: /, '')) // 0: --help and --version
    return fail(error instanceof UsageError ? 2 : 1, error instanceof Error ? error.message : String(error))
  }
}
