import { type Command, InvalidArgumentError, type Option } from 'commander'
import { ConfigError } from '../config-error.js'
import { shown } from '../option-values.js'

/** Where the value of a setting is from. */
export type SettingSource = 'command line' | 'environment' | 'file' | 'default'

/** Not settings of a gateway, but of how it is told them. */
const OWN = new Set(['config', 'printConfig'])

/** The options that may also be in the environment and in a file. */
export function settingsOf(command: Command): readonly Option[] {
  return command.options.filter((it) => !OWN.has(it.attributeName()))
}

/** `--max-concurrent` is `SLUICE_MAX_CONCURRENT`, `--no-shedding` is `SLUICE_SHEDDING`; tokens have had theirs before. */
export function variableOf(option: Option): string {
  const name = option.attributeName()
  if (name === 'tokens') return 'SLUICE_TOKENS_FILE'
  return `SLUICE_${name.replace(/[A-Z]/g, (it) => `_${it}`).toUpperCase()}`
}

/**
 * Gives each option that is not on the command line what the environment has for it, or else the file.
 * @param file members by the options' names: `maxConcurrent`
 * @throws ConfigError that names where, which, and what is allowed
 */
export function settle(
  command: Command,
  environment: NodeJS.ProcessEnv,
  file: { readonly name: string; readonly members: Readonly<Record<string, unknown>> } | undefined,
): void {
  for (const option of settingsOf(command)) {
    const name = option.attributeName()
    if (command.getOptionValueSource(name) === 'cli') continue
    const variable = variableOf(option)
    const text = environment[variable]
    const member = file?.members[name] ?? undefined // null is what it is printed as where it is not set
    if (text !== undefined && text !== '') {
      const words = option.variadic ? text.split(/[\s,]+/).filter((it) => it !== '') : text
      command.setOptionValueWithSource(name, settingOf(option, words, 'environment', variable), 'env')
    } else if (member !== undefined && file !== undefined) {
      command.setOptionValueWithSource(name, settingOf(option, member, file.name, name), 'config')
    }
  }
}

/** Where the value of an option is from. */
export function sourceOf(command: Command, option: Option): SettingSource {
  const source = command.getOptionValueSource(option.attributeName())
  return source === 'cli' ? 'command line' : source === 'env' ? 'environment' : source === 'config' ? 'file' : 'default'
}

/** Every value is checked as if it were on the command line. */
function settingOf(option: Option, given: unknown, source: string, field: string): unknown {
  if (option.isBoolean() || option.negate) return flagOf(given, source, field)
  if (option.variadic) {
    if (Array.isArray(given) && given.every((it) => typeof it === 'string')) return given
    throw new ConfigError(source, field, `is ${shown(given)}; it must be a list of texts`)
  }
  if (typeof given !== 'string' && typeof given !== 'number')
    throw new ConfigError(source, field, `is ${shown(given)}; it must be one ${kindOf(option)}`)
  const text = String(given)
  try {
    if (option.argChoices && !option.argChoices.includes(text))
      throw new InvalidArgumentError(`It must be one of ${option.argChoices.join(', ')}.`)
    return option.parseArg ? option.parseArg(text, undefined) : text
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error
    throw new ConfigError(source, field, `is "${text}". ${error.message}`)
  }
}

/** As its flag has it: `--spool <folder>`. */
const kindOf = (option: Option): string => /<(.+)>/.exec(option.flags)?.[1]?.replace(/^ms$/, 'number') ?? 'text'

/** It does not guess what else might mean yes. */
function flagOf(given: unknown, source: string, field: string): boolean {
  const text = ['string', 'number', 'boolean'].includes(typeof given) ? String(given).toLowerCase() : ''
  if (['true', '1', 'yes', 'on'].includes(text)) return true
  if (['false', '0', 'no', 'off'].includes(text)) return false
  throw new ConfigError(source, field, `is ${shown(given)}; write one of true, 1, yes, on or false, 0, no, off`)
}
