import { fileURLToPath } from 'node:url'
import { specTable, validateTables } from '@sluice/conformance'
import { validateDriver } from '@sluice/conformance/driver'
import { voiceOf } from '../output/voice.js'
import { UsageError } from '../usage-error.js'
import type { World } from '../world.js'
import { BROKEN_DRIVER, guarded, type Told } from './guarded.js'
import { processOf } from './run-command.js'

/** `sluice conformance validate`: of tables, or of a driver. */
export function validate(world: World, given: readonly string[], driver: boolean): Promise<number> {
  return guarded(world, () => (driver ? checkDriver(world, given) : checkTables(world, given)))
}

async function checkTables(world: World, [source, extra]: readonly string[]): Promise<Told> {
  if (extra !== undefined) throw new UsageError('validate takes one folder or file; a command needs --driver')
  const { tables, problems, rules } = validateTables(source ?? fileURLToPath(new URL('.', specTable('retry-cases'))))
  const lines = [
    ...tables.map(({ file, suite, cases }) => `${file}: ${cases} cases of ${suite}`),
    ...(rules === null || problems.length > 0 ? [] : [`${rules.length} rules, each with a case`]),
  ]
  if (problems.length > 0) await voiceOf(world).error(problems.join('\n'))
  return { text: lines.join('\n'), exitCode: problems.length > 0 ? 2 : 0 }
}

async function checkDriver(world: World, command: readonly string[]): Promise<Told> {
  if (command.length === 0) throw new UsageError('--driver: what starts it? Give the command after --')
  const { driver, findings } = await validateDriver(processOf(world, command))
  const broken = findings.some(({ level }) => level === 'must')
  const lines = [
    ...(driver ? [`${driver.name} ${driver.version} (${driver.language}): ${driver.suites.join(', ')}`] : []),
    ...findings.map(({ level, says }) => `${level === 'must' ? 'wrong' : 'could be better'}: ${says}`),
    ...(findings.length === 0 ? ['It speaks the protocol.'] : []),
  ]
  return { text: lines.join('\n'), exitCode: broken ? BROKEN_DRIVER : 0 }
}
