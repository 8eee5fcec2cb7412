import type { JsonSchema } from '../model/json-schema.js'
import { isRecord } from '../read/is-record.js'

const LONGEST = 60

/** A value as a message shows it: short, and not at all where the document calls it a password. */
export function shown(value: unknown, schema: JsonSchema = true): string {
  if (isRecord(schema) && schema.format === 'password') return '(a password)'
  if (value instanceof Uint8Array) return `${value.byteLength} bytes`
  let text: string | undefined
  try {
    text = typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  } catch {} // a circle, a bigint deep inside: then its type has to do
  text ??= typeof value
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
