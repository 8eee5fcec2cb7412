import type { Sink } from '../../output/sink.js'
import { deliver } from '../../request/deliver.js'
import { isJsonType } from '../body.js'
import { readExact, writeExact } from './exact-json.js'
import { FormatError } from './format-error.js'
import { besideRows, rowsOf } from './rows.js'
import { tableOf } from './table.js'

/** How a success is to be shown. */
export interface Format {
  /** Undefined: JSON is indented where somebody looks at it, all else stays as it is. */
  readonly how: 'json' | 'table' | 'ndjson' | 'raw' | undefined
  readonly columns: readonly string[] | undefined
  readonly onTerminal: boolean
  /** Then what is not what was asked for is not written at all. */
  readonly toFile: boolean
  /** Takes what a table leaves out. */
  readonly note: (line: string) => Promise<void>
}

/**
 * Writes the body of a success in a format.
 * @throws FormatError where it is none that can be read; on stdout it is written as it is then
 */
export async function deliverFormatted(response: Response, sink: Sink, format: Format): Promise<string | null> {
  const type = response.headers.get('content-type') ?? ''
  const lines = /^application\/(x-)?(ndjson|jsonl)\b/i.test(type)
  if (format.how === 'raw' || (format.how === undefined && !(format.onTerminal && isJsonType(type))))
    return deliver(response, sink)

  const body = new Uint8Array(await response.arrayBuffer()) // bytes: what is no JSON is written as it came
  if (body.length === 0) return null
  const text = new TextDecoder().decode(body)
  let value: unknown
  let output: string
  try {
    value = lines ? text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [readExact(line)])) : readExact(text)
    output = shown(value, format)
  } catch (error) {
    if (!format.toFile) await sink.write(body)
    if (format.how === undefined) return null
    throw new FormatError(format.how, problemOf(error, type, lines || isJsonType(type)), !format.toFile, error)
  }
  await sink.write(output)
  const beside = format.how === 'table' ? besideRows(value) : null
  if (beside !== null) await format.note(beside)
  return null
}

function problemOf(error: unknown, type: string, isReadable: boolean): string {
  if (!isReadable) return `the answer is ${type || 'of no known type'}, not JSON`
  if (error instanceof RangeError) return 'the answer is nested too deeply' // for the stack
  return `the answer is broken: ${(error as SyntaxError).message}` // nothing else is thrown by JSON
}

function shown(value: unknown, { how, columns }: Format): string {
  if (how === 'table') return tableOf(rowsOf(value), columns)
  if (how === 'ndjson')
    return rowsOf(value)
      .map((row) => `${writeExact(row, 0)}\n`)
      .join('')
  return `${writeExact(value, 2)}\n`
}
