import fc, { type Arbitrary } from 'fast-check'
import type { Schema } from '../contract/document.js'

/** Longer lists and texts find no more, and cost time. */
const [MOST_ITEMS, MOST_CHARACTERS] = [4, 40]

const within = (schema: Schema, name: string, otherwise: number): number =>
  typeof schema[name] === 'number' ? schema[name] : otherwise

/** Values that fit a schema of the document, as far as such schemas go. */
export function fitting(schema: Schema): Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  const { type } = schema
  if (Array.isArray(type)) return fc.oneof(...type.map((it) => fitting({ ...schema, type: it })))
  if (type === 'null') return fc.constant(null)
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer') {
    const min = within(schema, 'minimum', -1e6)
    return fc.integer({ min, max: within(schema, 'maximum', Math.max(min, 1e6)) })
  }
  if (type === 'number')
    return fc.double({
      ...{ min: within(schema, 'exclusiveMinimum', within(schema, 'minimum', -1e6)), noNaN: true },
      ...{ minExcluded: 'exclusiveMinimum' in schema, max: within(schema, 'maximum', 1e6) },
    })
  if (type === 'string') return fittingText(schema)
  if (type === 'array') {
    const { minItems: minLength = 0, maxItems = MOST_ITEMS, items = {} } = schema as Record<string, number>
    const bounds = { minLength, maxLength: Math.min(maxItems, MOST_ITEMS) }
    const item = fitting(items as unknown as Schema)
    return schema.uniqueItems === true ? fc.uniqueArray(item, bounds) : fc.array(item, bounds)
  }
  if (type === 'object') return fittingObject(schema)
  return fc.jsonValue({ maxDepth: 2 })
}

function fittingText(schema: Schema): Arbitrary<string> {
  if (typeof schema.pattern === 'string') return fc.stringMatching(new RegExp(schema.pattern))
  const minLength = within(schema, 'minLength', 0)
  return fc.string({
    minLength,
    maxLength: Math.max(minLength, Math.min(within(schema, 'maxLength', 1e9), MOST_CHARACTERS)),
  })
}

function fittingObject({ properties = {}, required = [], additionalProperties }: Schema): Arbitrary<unknown> {
  const members = Object.entries(properties as Record<string, Schema>).map(([name, it]) => [name, fitting(it)] as const)
  const own = fc.record(Object.fromEntries(members), { requiredKeys: required as never[] })
  if (additionalProperties === undefined || additionalProperties === false) return own
  const more = fc.dictionary(fc.string({ maxLength: 8 }), fitting(additionalProperties as Schema), { maxKeys: 4 })
  return fc.tuple(more, own).map(([others, known]) => ({ ...others, ...known }))
}

/** What somebody sends who means it ill, or knows no better. */
export const hostileText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['', ' ', '0', '-1', '1e9', 'null', 'true', '*', '%', '..', '../../etc/passwd', '__proto__', 'constructor'],
    ...[
      "'; DROP TABLE clicks --",
      "' OR 1=1 --",
      '\\',
      '`',
      '"',
      '{a:String}',
      '$$',
      "\\'",
      '\u0000',
      '\r\nX: y',
      '\ud800',
      '😀',
    ],
    ...[
      's_acme__default.clicks',
      'system.tables',
      "file('/etc/passwd')",
      'a'.repeat(300),
      '9'.repeat(40),
      'ÿ',
      'n-00000001',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: MOST_CHARACTERS }),
)

/** JSON that has nothing to do with any schema. */
export const anything: Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, 2 ** 53, [], {}, [[]], { a: { a: {} } }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** A value that fits but for one place in it: something else stands there, or a member more, or one less. */
export function misfitting(schema: Schema): Arbitrary<unknown> {
  return fc
    .tuple(fitting(schema), anything, fc.infiniteStream(fc.nat(20)), fc.nat(2))
    .map(([value, other, choices, what]) => {
      const at = (node: unknown): unknown => {
        const names = typeof node === 'object' && node !== null ? Object.keys(node) : []
        const choice = choices.next().value
        const name = names[choice % (names.length + 1)]
        if (name === undefined) return other
        const copy = (Array.isArray(node) ? [...node] : { ...(node as object) }) as Record<string, unknown>
        if (what === 0) delete copy[name]
        else if (what === 1) copy[`${name}${choice}`] = other
        else copy[name] = at(copy[name])
        return copy
      }
      return at(value)
    })
}
