import { ConfigError } from './config-error.js'

/** @throws ConfigError that names the field, the value and what is allowed; so do all of these */
export function whole(field: string, value: unknown, min: number, max: number): number {
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
  return fits ? value : refuse(field, value, `a whole number from ${min} to ${max}`)
}

/** @param example an empty one is none either */
export function text(field: string, value: unknown, example: string): string {
  return typeof value === 'string' && value !== '' ? value : refuse(field, value, `a text such as ${example}`)
}

/** It does not guess: a text `off` would switch on. */
export function yesOrNo(field: string, value: unknown): boolean {
  return typeof value === 'boolean' ? value : refuse(field, value, 'true or false')
}

/** @param kind of each of its items */
export function list<T>(field: string, value: readonly T[], kind: 'object' | 'string'): readonly T[] {
  const fits = Array.isArray(value) && value.every((it) => typeof it === kind && it !== null)
  return fits ? value : refuse(field, value, `a list of ${kind === 'object' ? 'objects' : 'texts'}`)
}

export function object<T extends object>(field: string, value: T, example: string): T {
  const fits = typeof value === 'object' && value !== null && !Array.isArray(value)
  return fits ? value : refuse(field, value, `an object: ${example}`)
}

/**
 * What a machine makes of its part of the options, which it checks itself.
 * @param make throws a TypeError with the name of the option as `field`
 */
export function madeOf<T>(part: string, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof TypeError && 'field' in error)) throw error
    const field = String(error.field)
    const problem = error.message.split(`: ${field} `)[1] ?? error.message
    throw new ConfigError('options', `${part}.${field}`, problem)
  }
}

/** A URL without its user and password: `http://***@ch-1:8123`. */
export const withoutUser = (url: string): string => url.replace(/^([a-z]+:\/\/)?.*@/is, '$1***@')

/** @throws ConfigError where an option has what it cannot have: a name that is misspelt would be no setting at all */
export function noOthers(field: string, value: object, known: readonly string[]): void {
  for (const [name, it] of Object.entries(value))
    if (it !== undefined && !known.includes(name))
      throw new ConfigError('options', `${field}${name}`, `is no option; there are ${known.join(', ')}`)
}

/** @param does what it is for: "that tells the time in milliseconds" */
export function fn<T>(field: string, value: T, does: string): T {
  return typeof value === 'function' ? value : refuse(field, value, `a function ${does}`)
}

function refuse(field: string, value: unknown, must: string): never {
  throw new ConfigError('options', field, `is ${shown(value)}; it must be ${must}`)
}

/** Never the inside of an object, which may hold secrets, nor who is named in a URL. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(withoutUser(value))
  if (Array.isArray(value)) return `[${value.map(shown)}]`
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
