import type { Parameter } from '../model/operation.js'
import type { SchemaBook } from '../schema/schema-book.js'
import { Broken, child, items, kindOf, members, type Place, type RecordPlace, record, text } from './place.js'
import type { Reading } from './reading.js'
import { resolve } from './resolve.js'

/** The styles that OpenAPI has for each place, the default first. */
const STYLES = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
} as const satisfies Record<Parameter['in'], readonly Parameter['style'][]>

/** OpenAPI: such a parameter is ignored. The sender, the body and the security schemes set these. */
const NOT_BY_PARAMETER: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization'])

/** The parameters of an operation, its own over its path's, and the schemas that they refer to. */
export function readParameters(
  reading: Reading,
  shared: Place,
  own: Place,
  path: string,
): { readonly parameters: readonly Parameter[]; readonly refs: ReadonlySet<string> } {
  const found = new Map<string, Parameter>()
  const refs = new Set<string>()
  for (const list of [shared, own]) {
    const here = new Set<string>()
    for (const item of items(list, 'parameters')) {
      const parameter = readParameter(reading, record(resolve(reading.root, item), 'a parameter'), refs)
      const key = `${parameter.in} ${parameter.name}`
      if (here.has(key))
        throw new Broken(item, `${parameter.in} parameter ${parameter.name} is there twice; leave one out`)
      here.add(key)
      if (parameter.in !== 'header' || !NOT_BY_PARAMETER.has(parameter.name.toLowerCase())) found.set(key, parameter)
    }
  }
  const named = new Set([...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name))
  for (const [key, { in: place, name }] of found) {
    if (place !== 'path' || named.has(name)) continue
    reading.note(own, `the path ${path} has no {${name}}: this parameter of it is left out`)
    found.delete(key)
  }
  for (const name of named) {
    if (name === undefined || found.has(`path ${name}`)) continue
    reading.note(own, `{${name}} of the path ${path} is not described: any text is taken`)
    found.set(`path ${name}`, undescribed(name))
  }
  return { parameters: [...found.values()], refs }
}

function readParameter({ book }: Reading, at: RecordPlace, refs: Set<string>): Parameter {
  const name = child(at, 'name')
  if (typeof name.value !== 'string' || name.value === '')
    throw new Broken(name.value === undefined ? at : name, `a parameter needs a name; got ${kindOf(name.value)}`)
  const place = placeOf(at, name.value)
  const { schema, contentType } = schemaOf(book, at, name.value, refs)
  const style = styleOf(at, place, name.value)
  const { explode, required, allowReserved, deprecated } = at.value
  return {
    name: name.value,
    in: place,
    // A path without one of its parts is another path.
    required: place === 'path' || required === true,
    description: text(child(at, 'description')),
    deprecated: deprecated === true,
    schema,
    style,
    explode: typeof explode === 'boolean' ? explode : style === 'form' || style === 'deepObject',
    allowReserved: allowReserved === true,
    contentType,
  }
}

function placeOf(at: RecordPlace, name: string): Parameter['in'] {
  const place = child(at, 'in').value
  if (place === 'path' || place === 'query' || place === 'header' || place === 'cookie') return place
  throw new Broken(at, `parameter ${name}: in must be path, query, header or cookie; got ${kindOf(place)}`)
}

function styleOf(at: RecordPlace, place: Parameter['in'], name: string): Parameter['style'] {
  const style = child(at, 'style')
  if (style.value === undefined) return STYLES[place][0]
  const known = STYLES[place].find((one) => one === style.value)
  if (known === undefined)
    throw new Broken(
      style,
      `${place} parameter ${name}: style must be ${STYLES[place].join(' or ')}; got ${kindOf(style.value)}`,
    )
  return known
}

function schemaOf(
  book: SchemaBook,
  at: RecordPlace,
  name: string,
  refs: Set<string>,
): Pick<Parameter, 'schema' | 'contentType'> {
  const [content] = members(child(at, 'content'), 'content')
  const place = content === undefined ? child(at, 'schema') : child(record(content[1], 'a media type'), 'schema')
  if (content === undefined && place.value === undefined)
    throw new Broken(at, `parameter ${name}: schema or content must say what it is`)
  const translated = book.translate(place)
  for (const ref of translated.refs) refs.add(ref)
  return { schema: translated.schema, contentType: content?.[0] ?? null }
}

const undescribed = (name: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  description: '',
  deprecated: false,
  schema: { type: 'string' },
  style: 'simple',
  explode: false,
  allowReserved: false,
  contentType: null,
})
