import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { ArgumentError } from '../errors/argument-error.js'
import type { Operation } from '../model/operation.js'
import { isRecord } from '../read/is-record.js'
import { isRaw } from './choose-content.js'
import { inputSchema } from './input-schema.js'
import { unknownArgument } from './read-arguments.js'
import { shown } from './shown.js'

const compiled = new WeakMap<Operation, ValidateFunction>()

/**
 * Checks arguments by `inputSchema`, as deep as the document describes them. Numbers must be numbers here: `'5'` is
 * a text. Bytes, Blobs and streams stand for any text. ajv is loaded on first use.
 *
 * @throws ArgumentError that names the argument, the place in it, the value and what is allowed
 */
export async function checkArguments(operation: Operation, args: Readonly<Record<string, unknown>>): Promise<void> {
  const validate = compiled.get(operation) ?? (await compile(operation))
  compiled.set(operation, validate)
  // What is written already is not looked into.
  const { body, ...others } = args
  const written = operation.body !== null && (isRaw(body) || body instanceof FormData)
  const given = Object.entries(written ? others : args).filter(([, value]) => value !== undefined)
  if (validate(Object.fromEntries(given.map(([name, value]) => [name, readable(value)])))) return
  const errors = validate.errors ?? []
  const error = errors.find((one) => !(written && one.params.missingProperty === 'body' && one.instancePath === ''))
  if (error !== undefined) throw argumentError(operation, args, error)
}

async function compile(operation: Operation): Promise<ValidateFunction> {
  const [{ Ajv2020 }, { default: formats }] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')])
  const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false, ownProperties: true, verbose: true })
  // CommonJS: under Node the function is the default of the default.
  const add = (typeof formats === 'function' ? formats : (formats as { default: unknown }).default) as (
    ajv: object,
  ) => void
  add(ajv)
  return ajv.compile(inputSchema(operation))
}

/** Bytes of a field, which no schema describes but as a text. */
function readable(value: unknown, depth = 0): unknown {
  if (isRaw(value)) return ''
  if (depth > 1 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => readable(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, readable(member, depth + 1)]))
}

function argumentError(
  operation: Operation,
  args: Readonly<Record<string, unknown>>,
  error: ErrorObject,
): ArgumentError {
  const path = error.instancePath.split('/').slice(1).map(unescaped)
  const name = path[0]
  const { missingProperty, additionalProperty, allowedValues } = error.params
  if (name === undefined) {
    if (typeof missingProperty === 'string')
      return new ArgumentError(missingProperty, `is missing; ${operation.id} needs it`)
    if (typeof additionalProperty === 'string') {
      const known = inputSchema(operation)
      const names = isRecord(known) && isRecord(known.properties) ? Object.keys(known.properties) : []
      return unknownArgument(operation, additionalProperty, names, args[additionalProperty])
    }
  }
  const place = path.length > 1 ? `${path.slice(1).join('.')} ` : ''
  const problem = Array.isArray(allowedValues)
    ? `must be one of ${allowedValues.slice(0, 10).map(String).join(', ')}${allowedValues.length > 10 ? ', …' : ''}`
    : typeof additionalProperty === 'string'
      ? `must have no property ${additionalProperty}`
      : (error.message ?? 'is not allowed')
  const schema = error.parentSchema ?? true
  return new ArgumentError(name ?? 'arguments', `${place}${problem}; got ${shown(error.data, schema)}`, error.data)
}

const unescaped = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~')
