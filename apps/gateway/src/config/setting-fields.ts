import type { Command, Option } from 'commander'
import { ConfigError } from '../config-error.js'
import { settingsOf, variableOf } from './settings.js'

/** What each setting is of a gateway's options, where it has another name there. */
const FIELDS: Readonly<Record<string, string>> = {
  rate: 'plans.default.ratePerSecond',
  burst: 'plans.default.burst',
  spool: 'spoolDir',
  maxBacklog: 'maxBacklogBytes',
  maxBacklogAge: 'maxBacklogAgeMs',
  fsyncInterval: 'fsyncIntervalMs',
  writeTimeout: 'writeTimeoutMs',
  readTimeout: 'readTimeoutMs',
  corsOrigin: 'corsOrigins',
  console: 'consoleDir',
  maxConcurrent: 'limit.maxConcurrent',
  controller: 'limit.controller',
  overdraft: 'limit.overdraftMs',
  shedding: 'limit.shedding',
  window: 'limit.windowMs',
  expectedP90: 'limit.expectedP90Ms',
  minSamples: 'limit.minSamples',
}

/** The option of a gateway that a setting is. */
export const fieldOf = (option: Option): string => FIELDS[option.attributeName()] ?? option.attributeName()

/**
 * What is wrong with an option of a gateway, by the name under which it was given: that of a flag, a variable, or a
 * member of the file.
 * @param file the name of the file of settings, where there is one
 */
export function asGiven(error: ConfigError, command: Command, file: string | undefined): ConfigError {
  const { source, field, problem } = error
  if (source !== 'options') return error
  const option = settingsOf(command).find((it) => field === fieldOf(it) || field.startsWith(`${fieldOf(it)}.`))
  if (option === undefined) return file === undefined ? error : new ConfigError(file, field, problem)
  const name = option.attributeName()
  const from = command.getOptionValueSource(name)
  if (from === 'env') return new ConfigError('environment', variableOf(option), problem)
  if (from === 'config' && file !== undefined)
    return new ConfigError(file, name + field.slice(fieldOf(option).length), problem)
  return new ConfigError('command line', option.long ?? name, problem)
}
