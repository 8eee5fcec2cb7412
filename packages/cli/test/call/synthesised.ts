import type { JsonSchema, Operation } from '@sluice/openapi'
import { keywordsOf } from '../../src/call/facts.js'
import { inputsOf, isSwitch } from '../../src/call/inputs.js'
import { ownCommand } from '../../src/call/own-options.js'

/** A value that a schema allows, of no more than it demands. */
function sampleOf(schema: unknown, defs: Operation['defs'], depth = 0): unknown {
  const words = keywordsOf(schema, defs)
  const {
    example,
    examples,
    enum: listed,
    default: preset,
    type,
    oneOf,
    anyOf,
    items,
    properties,
    required,
    format,
  } = words
  const [first] = [oneOf, anyOf].flatMap((list) => (Array.isArray(list) ? list : []))
  const given = [
    example,
    Array.isArray(examples) ? examples[0] : undefined,
    preset,
    Array.isArray(listed) ? listed[0] : undefined,
  ]
  const [kind] = [type].flat().filter((one) => one !== 'null')
  const found = given.find((value) => value !== undefined && value !== null)
  if (
    found !== undefined &&
    (kind !== 'integer' || Number.isInteger(found)) &&
    (kind !== 'string' || typeof found === 'string')
  )
    return found
  if (kind === undefined && first !== undefined && depth < 5) return sampleOf(first, defs, depth + 1)
  if (kind === 'integer' || kind === 'number') return 1
  if (kind === 'boolean') return true
  if (kind === 'array') return depth < 5 ? [sampleOf(items, defs, depth + 1)] : []
  if (kind === 'object')
    return Object.fromEntries(
      (Array.isArray(required) ? required : []).map((name: string) => [
        name,
        // Every schema's properties are members, as keywordsOf makes them.
        depth < 5 ? sampleOf((properties as Record<string, JsonSchema>)[name], defs, depth + 1) : null,
      ]),
    )
  return format === 'date-time' ? '2026-01-01T00:00:00Z' : 'x'
}

const written = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** The command line that calls an operation with all that it requires, as a person would write it. */
export function commandFor(operation: Operation, files: { readonly binary: string }): string[] {
  const taken = ownCommand('call').options.flatMap(({ long }) => long ?? [])
  const inputs = inputsOf(operation, taken)
  const schemas = new Map(operation.parameters.map((one) => [`${one.in} ${one.name}`, one.schema]))
  const needed = inputs.filter(({ required, place }) => place === 'path' || (required && place !== 'body'))
  const flags = needed.flatMap((input) => {
    const value = sampleOf(schemas.get(`${input.place} ${input.key}`), operation.defs)
    const values = input.facts.items !== null && Array.isArray(value) ? value : [value]
    if (input.flag === null) return values.flatMap((one) => ['--arg', `${input.name}=${written(one)}`])
    if (isSwitch(input)) return [value === false ? input.flag.replace('--', '--no-') : input.flag]
    return values.flatMap((one) => [input.flag ?? '', written(one)])
  })
  return [operation.id, ...flags, ...bodyFor(operation, inputs, files)]
}

function bodyFor(
  { body, defs }: Operation,
  inputs: ReturnType<typeof inputsOf>,
  { binary }: { binary: string },
): string[] {
  const [media] = body?.content ?? []
  if (!body || !media) return []
  const fields = inputs.filter(({ place, required }) => place === 'body' && required)
  if (/^multipart\/form-data\b/.test(media.contentType)) {
    const all = inputs.filter(({ place }) => place === 'body')
    return (fields.length > 0 ? fields : all.slice(0, 1)).flatMap((field) => [
      field.flag ?? '',
      field.facts.binary ? `@${binary}` : written(sampleOf(undefined, defs)),
    ])
  }
  if (!/json|urlencoded/.test(media.contentType)) return ['--body', `@${binary}`]
  return ['--body', JSON.stringify(sampleOf(media.schema, defs))]
}
