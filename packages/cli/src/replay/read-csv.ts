import type { Readable } from 'node:stream'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import { UsageError } from '../usage-error.js'
import { COLUMNS, type ColumnName, type Columns } from './columns.js'
import type { Row } from './row-reader.js'

/** No line of a trace is longer, unless a quote was never closed. */
const MOST_CHARACTERS = 1 << 20

/** What is done with a file. */
export interface Taker {
  /** The names of the columns, before any row. @param open rows to come may have more of them */
  begin(present: readonly string[], open: boolean): Columns
  /** The first line, where it is that of a recorded trace. */
  recorded(trace: object, line: number): void
  row(row: Row, line: number): void
}

/**
 * Reads CSV as it comes, a record at a time.
 * @throws UsageError that names the file and the line; what the taker throws
 */
export async function readCsv(
  source: Readable,
  { name, delimiter, signal }: { name: string; delimiter: string; signal: AbortSignal },
  taker: Taker,
): Promise<void> {
  let width = 0
  let places: readonly (readonly [ColumnName, number])[] = []
  let next = 1
  const take = (record: readonly string[]): void => {
    const line = next
    next += linesOf(record)
    if (record.length === 1 && record[0] === '') return // an empty line
    if (width === 0) {
      places = placesOf(record, taker.begin(record, false))
      width = record.length
      return
    }
    if (record.length !== width)
      throw notCsv(name, `Invalid Record Length: expect ${width}, got ${record.length} on line ${line}`)
    const row: Partial<Record<ColumnName, unknown>> = {}
    for (const [column, place] of places) row[column] = record[place]
    taker.row(row, line)
  }
  // Lines are counted here, empty ones and widths looked at too: what the parser tells of each record costs it more than
  // the parsing does.
  const parser = parse({
    ...{ bom: true, delimiter, trim: true, relax_column_count: true, max_record_size: MOST_CHARACTERS },
    record_delimiter: ['\r\n', '\n', '\r'], // files that were put together end their lines in several ways
  })
  try {
    await pipeline(source, parser, recordsTo(take), { signal })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw notCsv(name, error.message.replace(/\.$/, ''))
  }
}

const notCsv = (name: string, what: string): UsageError =>
  new UsageError(`${name}: ${what}; is it CSV? --format and --delimiter say otherwise`)

const placesOf = (names: readonly string[], columns: Columns): (readonly [ColumnName, number])[] =>
  (Object.keys(COLUMNS) as ColumnName[]).flatMap((column) => {
    const wanted = columns[column]
    return wanted === undefined ? [] : [[column, names.indexOf(wanted)] as const]
  })

/** One, and those that quotes hold within it. */
function linesOf(record: readonly string[]): number {
  let lines = 1
  for (const field of record)
    if (field.includes('\n') || field.includes('\r')) lines += field.split(/\r\n|[\r\n]/).length - 1
  return lines
}

const recordsTo = (take: (record: readonly string[]) => void): Writable =>
  new Writable({
    objectMode: true,
    write(record, _encoding, done) {
      try {
        take(record)
      } catch (error) {
        return done(error as Error) // what is thrown here is an error
      }
      done()
    },
  })
