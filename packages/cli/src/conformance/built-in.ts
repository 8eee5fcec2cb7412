import { type Report, runTable, type Subject, type SuiteReport, type Table } from '@sluice/conformance'
import { driverOf } from '@sluice/conformance/driver'
import { runWire, wireInProcess } from '@sluice/conformance/wire'
import * as core from '@sluice/core'
import { coreSubject } from '@sluice/core/conformance'
import { VirtualClock } from '@sluice/core/testing'
import { version } from '../version.js'
import type { World } from '../world.js'
import type { Selected } from './select.js'

const NAME = '@sluice/core'
const INGEST = '@sluice/ingest'

/** What core can do of the tables' `needs`. */
const FEATURES = ['hints', 'presets', 'classify', 'attempt-timeout', 'deadline', 'throttle-budget', 'retry-budget']

/** Runs the chosen cases against this repository's own implementation, in this process. */
export async function runBuiltIn(world: World, selected: Selected): Promise<Pick<Report, 'subject' | 'suites'>> {
  const suites: SuiteReport[] = []
  for (const table of selected.tables) suites.push(await runOne(table, world, selected.filter))
  if (selected.wire) {
    const { fetch: transport = fetch, clock = core.systemClock, random = Math.random } = world
    const wire = { fetch: transport, clock, random }
    const driver = driverOf(coreSubject(core), { name: NAME, version: version(), features: FEATURES, wire })
    const options = { start: wireInProcess(driver), tables: selected.wireTables, clock, filter: selected.filter }
    suites.push(...(await runWire({ ...options, onCase: () => world.signal.throwIfAborted() })).suites)
  }
  const names = new Set(suites.map(({ suite }) => (suite === 'ingest-scenarios' ? INGEST : NAME)))
  return { subject: { name: [...names].join(', '), version: version(), language: 'TypeScript' }, suites }
}

async function runOne(table: Table, { signal }: World, filter: Selected['filter']): Promise<SuiteReport> {
  const onCase = (): void => signal.throwIfAborted()
  const subject = await subjectOf(table)
  const result = await runTable(table, subject, (wallNow) => new VirtualClock(wallNow), { filter, onCase })
  return { suite: table.suite, file: table.file, result, untold: {} }
}

/** Core, and for the one suite about them the state machines of @sluice/ingest, which no other command needs. */
async function subjectOf({ suite }: Table): Promise<Subject> {
  const subject = coreSubject(core)
  if (suite !== 'ingest-scenarios') return subject
  const [ingest, { machineOfTable }] = await Promise.all([
    import('@sluice/ingest'),
    import('@sluice/ingest/conformance'),
  ])
  return { ...subject, machine: machineOfTable(ingest) }
}
