import type { Report, SuiteReport } from '@sluice/conformance'
import { type DriverHello, type DriverProcess, runDriver } from '@sluice/conformance/driver'
import { runWire, wireProcess } from '@sluice/conformance/wire'
import { systemClock } from '@sluice/core'
import type { World } from '../world.js'
import type { Selected } from './select.js'

/** What starts a driver, in this world. */
export function processOf(world: World, [command = '', ...args]: readonly string[]): DriverProcess {
  return { command, args, clock: world.clock ?? systemClock, env: world.env, signal: world.signal }
}

/** Runs the chosen cases against the driver that a command starts. */
export async function runCommand(
  world: World,
  command: readonly string[],
  selected: Selected,
): Promise<Pick<Report, 'subject' | 'suites'>> {
  const process = processOf(world, command)
  const { tables, filter } = selected
  const suites: SuiteReport[] = []
  let driver: DriverHello | undefined
  if (tables.length > 0) {
    const ran = await runDriver({ ...process, tables, filter })
    driver = ran.driver
    suites.push(...ran.suites)
  }
  // A driver for somebody's client as it ships has nothing but wire to show.
  const nothingElse = driver?.suites.includes('wire') && !tables.some(({ suite }) => driver?.suites.includes(suite))
  if (selected.wire || nothingElse) {
    const options = { start: wireProcess(process), tables: selected.wireTables, clock: process.clock, filter }
    const ran = await runWire({ ...options, onCase: () => world.signal.throwIfAborted() })
    driver = ran.driver
    suites.push(...ran.suites)
  }
  const { name = command.join(' '), version = null, language = null } = driver ?? {}
  return { subject: { name, version, language }, suites }
}
