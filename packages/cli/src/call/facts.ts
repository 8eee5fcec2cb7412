import type { JsonSchema } from '@sluice/openapi'

type Defs = { readonly [name: string]: JsonSchema }
type Keywords = { readonly [keyword: string]: unknown }

export type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'

/** What a command line has to know of a schema. */
export interface Facts {
  /** Without `null`, which no flag can say. Empty: anything. */
  readonly kinds: readonly Kind[]
  /** The values allowed, where they are listed. */
  readonly choices: readonly unknown[] | null
  readonly defaultValue: unknown
  readonly example: unknown
  readonly description: string
  /** Of an array's items. */
  readonly items: Facts | null
  /** Given as a file. */
  readonly binary: boolean
  /** Never shown. */
  readonly secret: boolean
  /** `null` is allowed too. */
  readonly nullable: boolean
}

const KINDS: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object'])

/** A schema may be made of itself; nobody types a value that is deeper than this. */
const DEEPEST = 8

const isKeywords = (value: unknown): value is Keywords =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A schema's keywords, with those of what it refers to and of all that it is made of (`allOf`). */
export function keywordsOf(schema: unknown, defs: Defs, depth = 0): Keywords {
  if (!isKeywords(schema) || depth > DEEPEST) return {}
  const { $ref, allOf, ...own } = schema
  const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : undefined
  const bases = [
    ...(name !== undefined && Object.hasOwn(defs, name) ? [defs[name]] : []),
    ...(Array.isArray(allOf) ? allOf : []),
  ].map((base) => keywordsOf(base, defs, depth + 1))
  const all = [...bases, own]
  const properties = Object.assign({}, ...all.map((one) => (isKeywords(one.properties) ? one.properties : {})))
  const required = all.flatMap((one) => (Array.isArray(one.required) ? one.required : []))
  return { ...Object.assign({}, ...all), properties, required }
}

export function factsOf(schema: unknown, defs: Defs, depth = 0): Facts {
  const keywords = keywordsOf(schema, defs, depth)
  const variants = [keywords.oneOf, keywords.anyOf]
    .flatMap((list) => (Array.isArray(list) && depth <= DEEPEST ? list : []))
    .map((variant) => factsOf(variant, defs, depth + 1))
  const kinds = [keywords.type].flat().filter((kind): kind is Kind => KINDS.has(kind))
  const listed = 'const' in keywords ? [keywords.const] : Array.isArray(keywords.enum) ? keywords.enum : null
  return {
    kinds: kinds.length > 0 ? kinds : kindsTogether(variants, listed),
    choices: listed?.filter((value) => value !== null) ?? null,
    defaultValue: keywords.default,
    example: keywords.example ?? (Array.isArray(keywords.examples) ? keywords.examples[0] : undefined),
    description: typeof keywords.description === 'string' ? keywords.description : '',
    items: kinds.includes('array') && depth <= DEEPEST ? factsOf(keywords.items, defs, depth + 1) : null,
    binary: keywords.format === 'binary' || keywords.contentMediaType === 'application/octet-stream',
    secret: keywords.format === 'password',
    nullable:
      [keywords.type].flat().includes('null') || listed?.includes(null) === true || variants.some((it) => it.nullable),
  }
}

/** Where the schema names no type: those of its variants, or of the values it lists; none where one may be anything. */
function kindsTogether(variants: readonly Facts[], listed: readonly unknown[] | null): readonly Kind[] {
  if (listed?.every((value) => typeof value === 'string' || value === null)) return ['string']
  // A variant that is `null` alone has no kinds either: then anything is taken, and the server says what it thinks.
  if (variants.some(({ kinds }) => kinds.length === 0)) return []
  return [...new Set(variants.flatMap(({ kinds }) => kinds))]
}

/** The fields of a body, where it is an object that lists them. */
export function fieldsOf(schema: unknown, defs: Defs): readonly Field[] {
  const { properties, required } = keywordsOf(schema, defs)
  return Object.entries(isKeywords(properties) ? properties : {}).flatMap(([name, field]) =>
    keywordsOf(field, defs).readOnly === true
      ? []
      : [{ name, required: Array.isArray(required) && required.includes(name), facts: factsOf(field, defs) }],
  )
}

export interface Field {
  readonly name: string
  readonly required: boolean
  readonly facts: Facts
}
