import type { JsonSchema } from '../model/json-schema.js'
import { isRecord } from '../read/is-record.js'

type Defs = { readonly [name: string]: JsonSchema }

const KINDS: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])

/** The schema itself where it is a reference into `$defs`. */
export function targetOf(schema: JsonSchema, defs: Defs): JsonSchema {
  let target = schema
  // The reader has refused references that lead in a circle.
  while (isRecord(target) && typeof target.$ref === 'string') {
    const name = target.$ref.replace('#/$defs/', '')
    target = (Object.hasOwn(defs, name) ? defs[name] : undefined) ?? true
  }
  return target
}

/** The types that a schema names at its top; null where it names none. */
export function kindsOf(schema: JsonSchema, defs: Defs): readonly string[] | null {
  const target = targetOf(schema, defs)
  if (!isRecord(target) || target.type === undefined) return null
  const kinds = [target.type].flat().filter((kind): kind is string => KINDS.has(kind))
  return kinds.length === 0 ? null : kinds
}

/** Whether a value is of one of these types, or a text that stands for one: `'5'` does for an integer. */
export const isOfKind = (value: unknown, kinds: readonly string[]): boolean => kinds.some((kind) => fits(value, kind))

function fits(value: unknown, kind: string): boolean {
  switch (kind) {
    case 'string':
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    case 'number':
      return isNumeric(value)
    case 'integer':
      return isNumeric(value) && Number.isInteger(Number(value))
    case 'boolean':
      return typeof value === 'boolean' || value === 'true' || value === 'false'
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isRecord(value)
    default:
      return value === null
  }
}

const isNumeric = (value: unknown): boolean =>
  typeof value === 'number'
    ? Number.isFinite(value)
    : typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
