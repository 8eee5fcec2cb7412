import type { Operation } from '@sluice/openapi'
import { exampleOf } from './example.js'
import type { Facts } from './facts.js'
import { fieldForm, type Input, isSwitch, keyParameter } from './inputs.js'

const WIDTH = 100

/** `sluice call OPERATION --help`, written from the document. */
export function helpOf(operation: Operation, inputs: readonly Input[]): string {
  const { id, method, path, summary, description, deprecated } = operation
  const parameters = inputs.filter(({ place }) => place !== 'body')
  const fields = inputs.filter(({ place }) => place === 'body')
  const form = fieldForm(operation)
  const parts = [
    `Usage: sluice call ${clean(id)} [flags]`,
    [clean(`${method} ${path}`), clean(summary), deprecated ? 'Deprecated.' : '']
      .filter((line) => line !== '')
      .join('\n'),
    paragraphs(description),
    section('Parameters:', [...parameters.map(entryOf), ...keyEntry(operation)]),
    section(`Fields of the body (${form}), or all of it with --body:`, fields.map(entryOf)),
    bodyOf(operation),
    section('Answers:', answersOf(operation)),
    section('Retries:', [['', retryOf(operation)]]),
    `Example:\n  ${clean(exampleOf(operation, inputs))}`,
    'Flags of every operation, such as --base-url, --token-file, --format and -o: sluice call --help',
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

type Entry = readonly [term: string, about: string]

function section(title: string, entries: readonly Entry[]): string {
  if (entries.length === 0) return ''
  const widest = Math.min(32, Math.max(...entries.map(([term]) => term.length)))
  const lines = entries.flatMap(([term, about]) => {
    const [first = '', ...rest] = wrap(about, WIDTH - widest - 4)
    const indent = ' '.repeat(widest + (widest === 0 ? 2 : 4))
    const head = widest === 0 ? `  ${first}` : `  ${term.padEnd(widest)}  ${term.length > widest ? '' : first}`
    const more = term.length > widest && first !== '' ? [first, ...rest] : rest
    return [head.trimEnd(), ...more.map((line) => `${indent}${line}`)]
  })
  return [title, ...lines].join('\n')
}

function entryOf(input: Input): Entry {
  const { flag, name, facts, required, deprecated, description } = input
  const value = `<${typeOf(facts)}>`
  const term =
    flag === null
      ? `--arg '${name}=${value}'`
      : isSwitch(input)
        ? `${flag}, ${flag.replace('--', '--no-')}`
        : `${flag} ${value}`
  const known = facts.choices ?? facts.items?.choices ?? null
  const about = [
    required ? 'Required.' : '',
    deprecated ? 'Deprecated.' : '',
    clean(description),
    known === null ? '' : `One of ${clean(known.join(', '))}.`,
    facts.items === null ? '' : 'Can be given again.',
    facts.nullable && input.place === 'body' ? `For null: -d '${clean(JSON.stringify({ [input.key]: null }))}'.` : '',
    facts.defaultValue === undefined ? '' : `Default ${clean(shown(facts.defaultValue))}.`,
  ]
  return [term, about.filter((part) => part !== '').join(' ')]
}

function keyEntry(operation: Operation): readonly Entry[] {
  const parameter = keyParameter(operation)
  if (!parameter) return []
  const about = [parameter.required ? 'Required.' : '', clean(parameter.description), 'Without a value a random one.']
  return [['--idempotency-key [key]', about.filter((part) => part !== '').join(' ')]]
}

const typeOf = (facts: Facts): string => {
  if (facts.items !== null) return typeOf(facts.items)
  if (facts.binary) return '@file'
  const named = {
    string: 'text',
    number: 'number',
    integer: 'integer',
    boolean: 'boolean',
    array: 'json',
    object: 'json',
  }
  return facts.kinds.length === 0 ? 'value' : [...new Set(facts.kinds.map((kind) => named[kind]))].join('|')
}

function bodyOf({ body }: Operation): string {
  if (body === null) return ''
  const types = body.content.map(({ contentType }) => contentType).join(', ')
  return section('Body:', [
    [
      '-d, --body <json|@file|->',
      [body.required ? 'Required.' : '', clean(body.description), `As ${types}.`]
        .filter((part) => part !== '')
        .join(' '),
    ],
  ])
}

const answersOf = ({ responses }: Operation): readonly Entry[] =>
  Object.entries(responses).map(([status, { description, contentTypes }]) => [
    status,
    `${clean(description)}${contentTypes.length === 0 ? '' : ` (${contentTypes.join(', ')})`}`,
  ])

function retryOf(operation: Operation): string {
  const { disabled, idempotent, maxAttempts, baseMs, perAttemptCapMs, totalCapMs, preset } = operation.retry
  if (disabled) return 'None: the document says so.'
  const said = [
    `By the preset ${preset ?? 'interactive'}`,
    maxAttempts === undefined ? '' : `at most ${maxAttempts} attempts`,
    baseMs === undefined ? '' : `first wait up to ${baseMs} ms`,
    perAttemptCapMs === undefined ? '' : `no wait over ${perAttemptCapMs} ms`,
    totalCapMs === undefined ? '' : `all waits within ${totalCapMs} ms`,
  ]
  const safe = idempotent ?? /^(GET|HEAD|OPTIONS|PUT|DELETE)$/.test(operation.method)
  const transient = safe
    ? 'A throttle is waited out; other failures that may pass are repeated too.'
    : 'A throttle is waited out; after other failures it is repeated only with --idempotency-key or --idempotent.'
  return `${said.filter((part) => part !== '').join(', ')}. ${transient}`
}

const shown = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : JSON.stringify(value))

/** Escape sequences and line breaks have no business in what a document names. */
const clean = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()

const paragraphs = (text: string): string =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => wrap(clean(paragraph), WIDTH).join('\n'))
    .filter((paragraph) => paragraph !== '')
    .join('\n\n')

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
