import type { Readable } from 'node:stream'
import { UsageError } from '../usage-error.js'
import { COLUMNS, type ColumnName, type Columns } from './columns.js'
import type { Taker } from './read-csv.js'
import { traceOf } from './recorded-limiter.js'

const MOST_CHARACTERS = 1 << 20

/**
 * Reads one JSON object a line, as it comes.
 * @throws UsageError that names the file and the line; what the taker throws
 */
export async function readNdjson(source: Readable, { name }: { name: string }, taker: Taker): Promise<void> {
  let rest = ''
  let number = 0
  let columns: Columns | null = null
  let isBegun = false
  const take = (line: string): void => {
    number++
    if (number === 1) line = line.replace(/^\uFEFF/, '')
    if (line.trim() === '') return
    if (!isBegun && isArray(line)) throw arrayIn(name)
    isBegun = true
    const value = objectIn(line, name, number)
    const trace = traceOf(value)
    if (trace !== null) {
      if (number > 1) throw new UsageError(`${name}, line ${number}: another trace begins here; replay one at a time`)
      taker.recorded(trace, number)
      return
    }
    columns ??= taker.begin(Object.keys(value), true)
    const row: Partial<Record<ColumnName, unknown>> = {}
    for (const column in COLUMNS) {
      const key = columns[column as ColumnName] // COLUMNS has no other
      if (key !== undefined) row[column as ColumnName] = value[key]
    }
    taker.row(row, number)
  }
  source.setEncoding('utf8') // a letter may be cut in two by a chunk's end
  for await (const chunk of source) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
    if (rest.length > MOST_CHARACTERS && !isBegun && isArray(rest)) throw arrayIn(name)
    if (rest.length > MOST_CHARACTERS)
      throw new UsageError(`${name}, line ${number + 1}: no line ends within a million characters; is it NDJSON?`)
  }
  if (rest !== '') take(rest)
}

function objectIn(line: string, name: string, number: number): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    throw new UsageError(`${name}, line ${number}: not JSON: ${(error as SyntaxError).message}; --format csv reads CSV`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new UsageError(`${name}, line ${number}: it must be a JSON object, one a line`)
}

const isArray = (text: string): boolean => text.trimStart().startsWith('[')

/** What many programs export. It would have to be held as a whole. */
function arrayIn(name: string): UsageError {
  const file = name === 'stdin' ? 'FILE' : name
  return new UsageError(
    `${name} is one JSON array; make a line of each of its objects on the way: jq -c '.[]' ${file} | sluice replay -`,
  )
}
