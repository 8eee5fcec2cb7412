import type { JsonSchema } from '../model/json-schema.js'
import { isRecord } from '../read/is-record.js'
import { Broken, kindOf, type Place, step } from '../read/place.js'

/** Deeper schemas are a mistake or an attack. */
const DEEPEST = 200

/** Hold one schema each. */
const SINGLE: ReadonlySet<string> = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
])
/** Hold lists of schemas. */
const LISTS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
/** Hold schemas by name. */
const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
])
/** Translated below, or without a meaning outside of the document: references are resolved, so nothing needs an id. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'nullable',
  'example',
  'examples',
  'discriminator',
  'xml',
  'externalDocs',
  '$id',
  'id',
  '$schema',
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  '$vocabulary',
  '$comment',
])

/** Names a referenced schema for use in `$ref`. */
type Refer = (ref: string, from: Place) => string

/**
 * A schema of a document as JSON Schema 2020-12.
 *
 * OpenAPI 3.0's own words (`nullable`, `exclusiveMinimum: true`, `example`) become JSON Schema's; as 3.1 documents use
 * them too they are read there as well. A pattern that JavaScript cannot read is left out. What is `readOnly` is not
 * required: the schemas are of what is sent.
 *
 * @param old whether it is OpenAPI 3.0, where what stands beside a `$ref` does not count
 * @throws Broken for what is no schema, or is nested too deeply
 */
export function translateSchema(place: Place, old: boolean, refer: Refer, depth = 0): JsonSchema {
  const { value, pointer } = place
  if (typeof value === 'boolean') return value
  // Seen in real documents, and harmless: a schema that says nothing.
  if (value === null || value === undefined) return true
  if (!isRecord(value)) throw new Broken(place, `a schema must be an object; got ${kindOf(value)}`)
  if (depth > DEEPEST)
    throw new Broken(place, `schemas are nested deeper than ${DEEPEST}; name some under components and use $ref`)

  const inner = (key: string, one: unknown, ...keys: (string | number)[]): JsonSchema =>
    translateSchema({ value: one, pointer: keys.reduce(step, step(pointer, key)) }, old, refer, depth + 1)

  const { $ref } = value
  if (typeof $ref === 'string') {
    const named = refer($ref, place)
    if (old) return { $ref: named, ...(typeof value.description === 'string' && { description: value.description }) }
  }

  const out: [string, unknown][] = []
  for (const [key, member] of Object.entries(value)) {
    if (LEFT_OUT.has(key) || key.startsWith('x-')) continue
    if (key === '$ref') out.push([key, typeof $ref === 'string' ? refer($ref, place) : member])
    else if (key === 'items' && Array.isArray(member))
      out.push(['prefixItems', member.map((one, index) => inner(key, one, index))])
    else if (SINGLE.has(key)) out.push([key, inner(key, member)])
    else if (LISTS.has(key)) {
      if (!Array.isArray(member))
        throw new Broken({ pointer: step(pointer, key) }, `${key} must be an array of schemas; got ${kindOf(member)}`)
      // JSON Schema wants at least one.
      if (member.length > 0) out.push([key, member.map((one, index) => inner(key, one, index))])
    } else if (MAPS.has(key)) {
      if (!isRecord(member))
        throw new Broken({ pointer: step(pointer, key) }, `${key} must be an object of schemas; got ${kindOf(member)}`)
      out.push([key, Object.fromEntries(Object.entries(member).map(([name, one]) => [name, inner(key, one, name)]))])
    } else if (key === 'required') {
      const required = requiredOf(member, value.properties)
      if (required.length > 0) out.push([key, required])
    } else if (key === 'pattern') {
      if (isPattern(member)) out.push([key, member])
    } else if (key === 'exclusiveMinimum' || key === 'exclusiveMaximum') out.push(...bound(key, member, value))
    else if (!isStrictBound(key, value)) out.push([key, member])
  }
  if ('example' in value) out.push(['examples', [value.example]])
  else if (Array.isArray(value.examples)) out.push(['examples', value.examples])
  const schema = Object.fromEntries(out)
  return value.nullable === true ? nullable(schema) : schema
}

/** `exclusiveMinimum: true` makes the minimum itself the bound. */
function bound(
  key: 'exclusiveMinimum' | 'exclusiveMaximum',
  member: unknown,
  schema: { readonly [key: string]: unknown },
): readonly [string, unknown][] {
  if (typeof member !== 'boolean') return [[key, member]]
  const limit = schema[key === 'exclusiveMinimum' ? 'minimum' : 'maximum']
  return member && typeof limit === 'number' ? [[key, limit]] : []
}

const isStrictBound = (key: string, schema: { readonly [key: string]: unknown }): boolean =>
  (key === 'minimum' && schema.exclusiveMinimum === true) || (key === 'maximum' && schema.exclusiveMaximum === true)

function nullable(schema: { readonly [keyword: string]: unknown }): JsonSchema {
  const { type, enum: values } = schema
  if (type === undefined && !Array.isArray(values)) {
    // Nothing that would exclude null, or something that is not to be taken apart.
    return ['$ref', 'allOf', 'anyOf', 'oneOf'].some((key) => key in schema)
      ? { anyOf: [schema, { type: 'null' }] }
      : schema
  }
  return {
    ...schema,
    ...(type !== undefined && { type: [...new Set([type, 'null'].flat())] }),
    ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }),
  }
}

/** Draft 4's `required: true` of a property says nothing here. */
function requiredOf(required: unknown, properties: unknown): readonly string[] {
  if (!Array.isArray(required)) return []
  const isReadOnly = (name: string): boolean => {
    const property = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
    return isRecord(property) && property.readOnly === true
  }
  return [...new Set(required)].filter((name): name is string => typeof name === 'string' && !isReadOnly(name))
}

function isPattern(pattern: unknown): boolean {
  try {
    return typeof pattern === 'string' && new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}
