import type { Operation } from '@sluice/openapi'
import { UsageError } from '../usage-error.js'
import type { Input } from './inputs.js'
import { asWritten, readValue } from './read-value.js'

/** What was written for each input, a text for each time; a switch is `true` or `false`. */
export type Written = ReadonlyMap<Input, readonly string[]>

/**
 * Adds `--arg name=value` to what the flags said.
 * @throws UsageError for a name that the operation does not have
 */
export async function withArgs(
  written: Written,
  inputs: readonly Input[],
  args: readonly string[],
  { id }: Operation,
): Promise<Written> {
  const all = new Map(written)
  for (const arg of args) {
    const equals = arg.indexOf('=')
    if (equals < 1) throw new UsageError(`--arg is written name=value; got ${JSON.stringify(arg)}`)
    const name = arg.slice(0, equals)
    const input = inputs.find((one) => one.name === name) ?? inputs.find((one) => one.key === name)
    if (!input) throw new UsageError(`--arg: ${id} has no ${name}${await suggestion(name, inputs)}`)
    all.set(input, [...(all.get(input) ?? []), arg.slice(equals + 1)])
  }
  return all
}

/** Asked in an error alone: what it imports is slow to start. */
async function suggestion(name: string, inputs: readonly Input[]): Promise<string> {
  const { nearest } = await import('@sluice/conformance')
  const names = inputs.map((input) => input.name)
  const [near] = nearest(name, names, 1)
  if (near !== undefined) return `; did you mean ${near}?`
  return names.length === 0 ? '; it takes nothing' : `; it has ${names.join(', ')}`
}

/**
 * Reads the values.
 *
 * @param withBody whether `--body` was given
 * @returns arguments for `requestOf`; fields of the body as `body`
 * @throws UsageError that names all that is missing, or the first that is wrong
 */
export async function readGiven(
  operation: Operation,
  inputs: readonly Input[],
  written: Written,
  withBody: boolean,
): Promise<Readonly<Record<string, unknown>>> {
  const fields = inputs.filter(({ place }) => place === 'body')
  const given = fields.filter((field) => written.has(field))
  const [first] = given
  if (withBody && first) throw new UsageError(`give --body or fields of it such as ${asWritten(first)}, not both`)

  const hasFields = given.length > 0
  const wantsBody = operation.body?.required === true && !withBody
  const missing = inputs
    .filter((input) => input.required && !written.has(input) && (input.place !== 'body' || hasFields || wantsBody))
    .map(asWritten)
  if (wantsBody && !hasFields && !missing.some((flag) => fields.some((field) => asWritten(field) === flag)))
    missing.push('--body')
  if (missing.length > 0) throw new UsageError(`${operation.id} needs ${missing.join(', ')}`)

  const values: [Input, unknown][] = []
  for (const [input, texts] of written) values.push([input, await readValue(input, texts)])
  const of = (isField: boolean): [string, unknown][] =>
    values
      .filter(([{ place }]) => (place === 'body') === isField)
      .map(([{ key, name }, value]) => [isField ? key : name, value])
  return { ...Object.fromEntries(of(false)), ...(hasFields && { body: Object.fromEntries(of(true)) }) }
}
