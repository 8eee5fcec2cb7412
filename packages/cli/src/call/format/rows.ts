import { oneLine } from '@sluice/core/words'
import { plain } from './exact-json.js'

type Members = Readonly<Record<string, unknown>>

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * What an answer is a list of: its items; or those of `data`, or of its only list where it is an object that holds one
 * beside what tells of it, such as a cursor. Anything else is one row.
 */
export function rowsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (!isMembers(value)) return [value]
  if (Array.isArray(value.data)) return value.data
  const lists = Object.values(value).filter(Array.isArray)
  const [only] = lists
  // An object with a name and tags is a thing with tags, not a list of tags.
  return only !== undefined && lists.length === 1 && only.every(isMembers) ? only : [value]
}

/** What stands beside the rows, for somebody who may want the next page; null for nothing. */
export function besideRows(value: unknown): string | null {
  if (!isMembers(value) || rowsOf(value)[0] === value) return null
  const told = Object.entries(value).filter(([, one]) => one !== null && typeof one !== 'object')
  return told.length === 0 ? null : oneLine(told.map(([name, one]) => `${name}: ${plain(one)}`).join(', '))
}
