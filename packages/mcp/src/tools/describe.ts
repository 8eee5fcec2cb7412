import type { Operation } from '@sluice/openapi'
import { plainText, shorten, visible } from './plain-text.js'

/** Every description is read by a model on every turn. */
const LONGEST = 800

/** What a tool does, for an agent: the summary, then the description, as plain text of a sensible length. */
export function describe(operation: Operation): string {
  const summary = plainText(operation.summary)
  const more = plainText(operation.description)
  const said = more.startsWith(summary) ? more : [summary, more].filter(Boolean).join('\n\n')
  const words = shorten(said, LONGEST) || `${operation.method} ${operation.path}`
  return operation.deprecated ? `Deprecated. ${words}` : words
}

/** A short name for people. */
export function titleOf({ summary, id }: Operation): string {
  return shorten(plainText(summary).replace(/\s+/g, ' ').replace(/\.$/, ''), 80) || visible(id)
}
