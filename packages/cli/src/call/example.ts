import type { Operation } from '@sluice/openapi'
import type { Facts } from './facts.js'
import { type Input, isSwitch, keyParameter } from './inputs.js'

/** A command line with all that is required, and values that fit. */
export function exampleOf(operation: Operation, inputs: readonly Input[]): string {
  const needed = inputs.filter(({ required, place }) => required && (place !== 'body' || operation.body?.required))
  const words = needed.map((input) => {
    if (input.flag !== null && isSwitch(input)) return input.flag
    const value = quoted(sample(input.facts, input.key))
    return input.flag === null ? `--arg ${quoted(`${input.name}=…`)}` : `${input.flag} ${value}`
  })
  const bare = operation.body?.required && !needed.some(({ place }) => place === 'body')
  return [
    `sluice call ${quoted(operation.id)}`,
    ...words,
    ...(bare ? ['--body @FILE'] : []),
    ...(keyParameter(operation)?.required ? ['--idempotency-key'] : []),
  ].join(' ')
}

function sample(facts: Facts, name: string): string {
  const one = facts.items ?? facts
  const given = [one.example, one.defaultValue, one.choices?.[0]].find((value) => value !== undefined && value !== null)
  if (one.binary) return '@FILE'
  if (given !== undefined) return typeof given === 'object' ? JSON.stringify(given) : String(given)
  const [kind] = one.kinds
  if (kind === 'integer' || kind === 'number') return '1'
  if (kind === 'object') return '{}'
  return kind === 'array' ? '[]' : name.replace(/\W+/g, '_').toUpperCase()
}

/** As a shell takes it. */
const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
