import { KnownFailingError, TableError, UnknownCaseError } from '@sluice/conformance'
import { DriverError } from '@sluice/conformance/driver'
import { sinkOf } from '../output/sink.js'
import { voiceOf } from '../output/voice.js'
import { UsageError } from '../usage-error.js'
import type { World } from '../world.js'

/** The driver crashed, hung, or broke the protocol. */
export const BROKEN_DRIVER = 3

/** What a command came to: text for stdout, and its exit code. */
export interface Told {
  text: string
  exitCode: number
}

/** Writes what a command came to, and tells errors of the tables and of a driver by their exit codes. */
export async function guarded(world: World, work: () => Told | Promise<Told>): Promise<number> {
  let told: Told
  try {
    told = await work()
  } catch (error) {
    if (error instanceof TableError || error instanceof KnownFailingError || error instanceof UnknownCaseError)
      throw new UsageError(error.message)
    if (!(error instanceof DriverError)) throw error
    await voiceOf(world).error(error.message)
    return BROKEN_DRIVER
  }
  if (told.text !== '') await sinkOf(world.stdout, 'stdout', world.signal).write(`${told.text.trimEnd()}\n`)
  return told.exitCode
}
