import { isRecord } from './is-record.js'

/** A value in a document and where it stands. */
export interface Place {
  readonly value: unknown
  /** A JSON pointer: `/paths/~1pets/get`; '' for the root. */
  readonly pointer: string
}

/** What is wrong with a document, before anybody has looked for line and column. */
export class Broken extends Error {
  readonly pointer: string

  constructor({ pointer }: Pick<Place, 'pointer'>, problem: string) {
    super(problem)
    this.pointer = pointer
  }
}

export type RecordPlace = Place & { readonly value: { readonly [key: string]: unknown } }

/** JSON pointer (RFC 6901), one step further. */
export const step = (pointer: string, key: string | number): string =>
  `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** What stands under a key; `value` is undefined where there is nothing. */
export const child = (parent: RecordPlace, key: string): Place => ({
  value: Object.hasOwn(parent.value, key) ? parent.value[key] : undefined,
  pointer: step(parent.pointer, key),
})

/** @throws Broken where it is no object; `what` is what the document should hold here */
export function record(place: Place, what: string): RecordPlace {
  if (!isRecord(place.value)) throw new Broken(place, `${what} must be an object; got ${kindOf(place.value)}`)
  return { value: place.value, pointer: place.pointer }
}

/** The members of an object that may be left out; extensions apart. */
export function members(place: Place, what: string): readonly (readonly [string, Place])[] {
  if (place.value === undefined || place.value === null) return []
  const parent = record(place, what)
  return Object.keys(parent.value)
    .filter((key) => !key.startsWith('x-'))
    .map((key) => [key, child(parent, key)])
}

/** The items of an array that may be left out. */
export function items(place: Place, what: string): readonly Place[] {
  if (place.value === undefined || place.value === null) return []
  if (!Array.isArray(place.value)) throw new Broken(place, `${what} must be an array; got ${kindOf(place.value)}`)
  return place.value.map((value: unknown, index) => ({ value, pointer: step(place.pointer, index) }))
}

/** A text, or '' where there is none: what only describes does not stop anybody. */
export const text = (place: Place): string => (typeof place.value === 'string' ? place.value : '')

export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  const shown = JSON.stringify(value)
  return shown.length > 60 ? `${shown.slice(0, 60)}…` : shown
}
