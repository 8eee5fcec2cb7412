import { shown } from '@sluice/core/adapter'

const KINDS = {
  'a number above 0': (value: number): boolean => value > 0,
  'a number of at least 0': (value: number): boolean => value >= 0,
  'a number of at least 1': (value: number): boolean => value >= 1,
  'a number from 0 to 1': (value: number): boolean => value >= 0 && value <= 1,
  'an integer of at least 1': (value: number): boolean => Number.isSafeInteger(value) && value >= 1,
}

/** What a setting may be, as a message says it. */
export type Kind = keyof typeof KINDS

/** Settings of one machine: each with its default and what it may be. */
export type Fields = Readonly<Record<string, readonly [byDefault: number, kind: Kind]>>

/**
 * Completes settings with their defaults.
 *
 * @param where who was given them, for messages
 * @param given a field that is `undefined` counts as not given
 * @param others names of what may be given beside these, for the message
 * @throws TypeError that names the field, the value and what is allowed, with the field's name as `field`
 */
export function complete<F extends Fields>(
  where: string,
  fields: F,
  given: object,
  others: readonly string[] = [],
): Readonly<Record<keyof F, number>> {
  const all: Record<string, number> = {}
  for (const [name, [byDefault]] of Object.entries(fields)) all[name] = byDefault
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    const kind = Object.hasOwn(fields, name) ? fields[name]?.[1] : undefined
    if (kind === undefined)
      throw refused(
        where,
        name,
        value,
        `left out: there is no such option; there are ${[...Object.keys(fields), ...others].join(', ')}`,
      )
    all[name] = checked(where, name, value, kind)
  }
  return Object.freeze(all) as Readonly<Record<keyof F, number>> // every field has its default at least
}

/** @throws TypeError as {@link complete} does, for one value by itself */
export function checked(where: string, name: string, value: unknown, kind: Kind): number {
  if (typeof value === 'number' && Number.isFinite(value) && KINDS[kind](value)) return value
  throw refused(where, name, value, kind)
}

/** An input that cannot be used, with the name of the field as `field`. */
export const refused = (where: string, field: string, value: unknown, must: string): TypeError =>
  Object.assign(new TypeError(`${where}: ${field} must be ${must}; got ${shown(value)}`), { field })
