import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { codeOf } from '../arguments/read-text.js'
import { UsageError } from '../usage-error.js'
import type { Facts, Kind } from './facts.js'
import type { Input } from './inputs.js'

/** What a person writes for an input: its flag, or `--arg`. */
export const asWritten = ({ flag, name }: Pick<Input, 'flag' | 'name'>): string => flag ?? `--arg ${name}=…`

/**
 * Reads what was written for an input.
 *
 * @param texts one for each time it was given
 * @throws UsageError that names the flag, the value and what is allowed
 */
export async function readValue(input: Input, texts: readonly string[]): Promise<unknown> {
  const { facts } = input
  const [first = '', second] = texts
  // A list is one value a flag. Its JSON is taken as well where one item cannot look like that.
  if (facts.items !== null && !(texts.length === 1 && facts.kinds.length === 1 && isJson(first, Array.isArray))) {
    const { items } = facts
    return Promise.all(texts.map((text) => readOne(input, items, text)))
  }
  if (facts.items !== null) return JSON.parse(first)
  if (second !== undefined) throw new UsageError(`${asWritten(input)} takes one value; got ${texts.length}`)
  return readOne(input, facts, first)
}

async function readOne(input: Input, facts: Facts, text: string): Promise<unknown> {
  if (facts.binary && text.startsWith('@')) return readFileOf(input, text.slice(1))
  const value = convert(facts.kinds, text, input.place === 'body')
  if (value === undefined)
    throw new UsageError(
      `${asWritten(input)} must be ${facts.kinds.map(named).join(' or ')}; got ${shown(facts, text)}`,
    )
  if (facts.choices !== null && !facts.choices.includes(value) && !facts.choices.includes(text))
    throw new UsageError(`${asWritten(input)} must be one of ${facts.choices.join(', ')}; got ${shown(facts, text)}`)
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    if (input.place !== 'body') return text // the digits as they are
    throw new UsageError(`${asWritten(input)}: ${text} is too large to be exact here; write the whole body with --body`)
  }
  return value
}

const named = (kind: Kind): string =>
  ({
    ...{ string: 'a text', number: 'a number', integer: 'a whole number', boolean: 'true or false' },
    ...{ array: 'a list, written as JSON', object: 'an object, written as JSON' },
  })[kind]

const shown = ({ secret }: Facts, text: string): string =>
  secret ? 'something else' : JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** The first kind that a text can be, the narrowest first; undefined where it is none of them. */
function convert(kinds: readonly Kind[], text: string, inJson: boolean): unknown {
  // Nothing is said of it: JSON where it can be nothing else, and in a body wherever it is JSON.
  if (kinds.length === 0) return isJson(text, inJson ? () => true : isStructure) ? JSON.parse(text) : text
  const is = (kind: Kind): boolean => kinds.includes(kind)
  if ((is('integer') && /^-?\d+$/.test(text)) || (is('number') && isNumber(text))) return Number(text)
  if (is('boolean') && /^(true|false)$/.test(text)) return text === 'true'
  if (is('object') && isJson(text, (value) => isStructure(value) && !Array.isArray(value))) return JSON.parse(text)
  if (is('array') && isJson(text, Array.isArray)) return JSON.parse(text)
  return is('string') ? text : undefined
}

const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text))

const isStructure = (value: unknown): boolean => typeof value === 'object' && value !== null

function isJson(text: string, fits: (value: unknown) => boolean): boolean {
  try {
    return fits(JSON.parse(text))
  } catch {
    return false
  }
}

/** Read anew for each attempt, and sent under its own name. */
async function readFileOf(input: Input, path: string): Promise<File> {
  try {
    if ((await stat(path)).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
    // Node's type for the same class.
    return new File([(await openAsBlob(path)) as Blob], basename(path))
  } catch (error) {
    throw new UsageError(`${asWritten(input)}: ${path} cannot be read (${codeOf(error)})`)
  }
}
