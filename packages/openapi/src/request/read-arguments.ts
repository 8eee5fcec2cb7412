import { ArgumentError } from '../errors/argument-error.js'
import { nearest } from '../errors/nearest.js'
import type { JsonSchema } from '../model/json-schema.js'
import type { Operation } from '../model/operation.js'
import { type Argument, argumentsOf } from './argument-names.js'
import { isOfKind, kindsOf } from './kinds.js'
import { shown } from './shown.js'

/** An argument that was given. */
export interface Given extends Argument {
  readonly value: unknown
}

/**
 * Sorts arguments: what was given for which parameter, in the document's order, and the body.
 *
 * @throws ArgumentError for one that is unknown, missing, or of another type than the document says at its top
 */
export function readArguments(
  operation: Operation,
  args: Readonly<Record<string, unknown>>,
): { readonly parameters: readonly Given[]; readonly body: unknown } {
  const known = argumentsOf(operation)
  const names = [...known.map(({ name }) => name), ...(operation.body === null ? [] : ['body'])]
  for (const [name, value] of Object.entries(args))
    if (value !== undefined && !names.includes(name)) throw unknownArgument(operation, name, names, value)

  const of = (name: string): unknown => (Object.hasOwn(args, name) ? args[name] : undefined)
  const parameters = known.flatMap(({ name, parameter }) => {
    const value = of(name)
    const kinds = kindsOf(parameter.schema, operation.defs)
    // Only JSON can write null; elsewhere it is the same as nothing.
    if (value === undefined || (value === null && parameter.contentType === null)) {
      if (parameter.required) throw new ArgumentError(name, `is missing; ${operation.id} needs it${wants(kinds)}`)
      return []
    }
    if (!isSendable(value) || (kinds !== null && !isOfKind(value, kinds)))
      throw wrongKind(name, value, kinds ?? ['string', 'number', 'boolean', 'array', 'object'], parameter.schema)
    return [{ name, parameter, value }]
  })

  // Without a body it is a parameter like others.
  const body = operation.body === null ? undefined : of('body')
  if (body === undefined && operation.body?.required)
    throw new ArgumentError('body', `is missing; ${operation.id} needs one`)
  return { parameters, body }
}

/** The error for an argument that an operation does not have. */
export function unknownArgument(
  operation: Operation,
  name: string,
  names: readonly string[],
  value: unknown,
): ArgumentError {
  const alike = nearest(name, names)
  const known =
    names.length === 0 ? 'it takes none' : `it takes ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}`
  return new ArgumentError(
    name,
    `${operation.id} has no such argument; ${alike.length === 0 ? known : `did you mean ${alike.join(', ')}?`}`,
    value,
  )
}

const wants = (kinds: readonly string[] | null): string => (kinds === null ? '' : `: ${kinds.join(' or ')}`)

const wrongKind = (name: string, value: unknown, kinds: readonly string[], schema: JsonSchema): ArgumentError =>
  new ArgumentError(name, `must be ${kinds.join(' or ')}; got ${shown(value, schema)}`, value)

function isSendable(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return ['string', 'boolean', 'bigint', 'object'].includes(typeof value)
}
