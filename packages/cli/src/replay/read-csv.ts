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
  let places: readonly (readonly [ColumnName, number])[] | null = null
  const take = (record: readonly string[], { lines }: { lines: number }): null => {
    if (places === null) {
      const columns = taker.begin(record, false)
      places = (Object.keys(COLUMNS) as ColumnName[]).flatMap((column) => {
        const wanted = columns[column]
        return wanted === undefined ? [] : [[column, record.indexOf(wanted)] as const]
      })
      return null
    }
    const row: Partial<Record<ColumnName, unknown>> = {}
    for (const [column, place] of places) row[column] = record[place]
    taker.row(row, lines)
    return null // nothing is kept
  }
  const parser = parse({
    ...{ bom: true, delimiter, trim: true, skip_empty_lines: true, max_record_size: MOST_CHARACTERS },
    on_record: take,
  })
  try {
    await pipeline(source, parser, nowhere(), { signal })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new UsageError(
      `${name}: ${error.message.replace(/\.$/, '')}; is it CSV? --format and --delimiter say otherwise`,
    )
  }
}

const nowhere = (): Writable => new Writable({ objectMode: true, write: (_chunk, _encoding, done) => done() })
