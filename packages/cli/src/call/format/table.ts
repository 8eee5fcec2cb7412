import { oneLine } from '@sluice/core/words'
import { plain, writeExact } from './exact-json.js'
import { isMembers } from './rows.js'

/**
 * Lays rows out in columns, a line each, under their names.
 *
 * @param columns names, with a dot for what is inside: `owner.login`; default those that hold more than structures
 * @returns '' for no rows
 */
export function tableOf(rows: readonly unknown[], columns?: readonly string[]): string {
  if (rows.length === 0) return ''
  const things = rows.map((row) => (isMembers(row) ? row : { value: row }))
  const names = columns ?? columnsOf(things)
  const lines = [names, ...things.map((thing) => names.map((name) => cell(inside(thing, name))))]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ''))))
  return lines
    .map(
      (line) =>
        `${line
          .map((text, column) => pad(text, widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

type Thing = Readonly<Record<string, unknown>>

function columnsOf(things: readonly Thing[]): readonly string[] {
  const all = [...new Set(things.flatMap((thing) => Object.keys(thing)))]
  const simple = all.filter((name) => things.some((thing) => !['object', 'undefined'].includes(typeof thing[name])))
  return simple.length === 0 ? all : simple
}

/** A name with dots in it is looked for as it is before it is taken for a way. */
function inside(thing: unknown, name: string): unknown {
  if (!isMembers(thing)) return undefined
  if (Object.hasOwn(thing, name)) return thing[name]
  const [first = '', ...rest] = name.split('.')
  return rest.length > 0 && Object.hasOwn(thing, first) ? inside(thing[first], rest.join('.')) : undefined
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return ''
  return oneLine(typeof value === 'object' ? writeExact(value, 0) : plain(value)) ?? ''
}

const widthOf = (text: string): number => [...text].length

const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)))
