import type { Context } from 'hono'
import { type FieldFault, shortened } from '../field-fault.js'
import type { GatewayEnv } from './env.js'
import { badParameters } from './refusal.js'

/** How one parameter of the query string is read: its value, or what would be right. */
export type ReadParameter<T> = (value: string | undefined) => T | { readonly accepts: string }

/**
 * Reads a query string: no parameter that the operation does not have, each at most once.
 * @throws Refusal 400 that names everything that is wrong
 */
export function readQuery<T extends Record<string, unknown>>(
  c: Context<GatewayEnv>,
  readers: { readonly [Name in keyof T]: ReadParameter<T[Name]> },
): T {
  const sent = new URL(c.req.url).searchParams
  const names = Object.keys(readers)
  const takes = names.length === 0 ? 'there are none' : `there ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}`
  const faults: FieldFault[] = [...new Set(sent.keys())]
    .filter((name) => !Object.hasOwn(readers, name))
    .map((name) => ({ parameter: shortened(name), message: `is no parameter here; ${takes}` }))
  const values: Record<string, unknown> = {}
  for (const [name, read] of Object.entries<ReadParameter<unknown>>(readers)) {
    const [value, ...more] = sent.getAll(name)
    const it = read(value)
    const quoted = value === undefined ? {} : { value: shortened(value) }
    if (more.length > 0)
      faults.push({ parameter: name, ...quoted, message: `is there ${more.length + 1} times; send it once` })
    else if (typeof it === 'object' && it !== null && 'accepts' in it)
      faults.push({ parameter: name, ...quoted, message: `is not ${it.accepts}` })
    else values[name] = it
  }
  if (faults.length > 0) throw badParameters(faults)
  return values as T // each of its members was read
}

/** Entries of a page at most: 1 to 1000, default 100. */
export const pageLimit: ReadParameter<number> = (value) => {
  if (value === undefined) return 100
  const limit = Number(value)
  return /^\d{1,4}$/.test(value) && limit >= 1 && limit <= 1000 ? limit : { accepts: 'a whole number from 1 to 1000' }
}

/** Where a page begins: what the one before it ended with. Undefined: at the beginning. */
export const cursor: ReadParameter<string | undefined> = (value) => {
  if (value === undefined) return undefined
  const text = Buffer.from(value, 'base64url').toString('utf8')
  const isOurs = value.length <= 512 && text !== '' && cursorOf(text) === value
  return isOurs ? text : { accepts: 'a cursor; send the next_cursor of the page before' }
}

/**
 * The first page of what is left of a list, and the `next_cursor` of what comes after it.
 * @param nameOf by what an entry is known, as {@link cursor} gives it back
 */
export function pageOf<T>(
  rest: readonly T[],
  limit: number,
  nameOf: (entry: T) => string,
): { readonly page: readonly T[]; readonly next_cursor: string | null } {
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return { page, next_cursor: last !== undefined && rest.length > limit ? cursorOf(nameOf(last)) : null }
}

const cursorOf = (last: string): string => Buffer.from(last, 'utf8').toString('base64url')

/** True or false; default false. */
export const flag: ReadParameter<boolean> = (value) => {
  if (value === undefined || value === 'false') return false
  return value === 'true' ? true : { accepts: 'true or false' }
}

/** A name of a data source; undefined: none was sent. */
export const optionalName: ReadParameter<string | undefined> = (value) =>
  value === undefined || /^[a-z][a-z0-9_]{0,63}$/.test(value)
    ? value
    : { accepts: 'a name: a-z, 0-9 and _, a letter first' }
