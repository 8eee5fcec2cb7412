import { setImmediate as turn } from 'node:timers/promises'
import type { IngestEvent } from '@sluice/ingest'
import { isDeep } from '../rows/exact-number.js'
import type { MisfitRow, RowChecker } from '../rows/row-checker.js'
import { elementsOf, linesOf, notJson, UnreadableBodyError } from './rows-of-body.js'

/** How events may be sent. */
export type BatchForm = 'lines' | 'array'

/** What a body holds. */
export interface Batch {
  readonly events: readonly IngestEvent[]
  /** Rows that do not fit: the first of them, as there may be more than anybody would read. */
  readonly bad: readonly MisfitRow[]
  /** All of them, counted. */
  readonly badRows: number
}

/** More of one body are counted and not kept. */
const MOST_BAD_ROWS = 1000
/** Others have their turn when so many rows were read. */
const ROWS_AT_ONCE = 2000

/**
 * Reads the rows of a body and checks each.
 * @param maxRows a body with more is not read to its end
 * @throws UnreadableBodyError
 */
export async function readBatch(
  body: Uint8Array,
  form: BatchForm,
  checker: RowChecker,
  maxRows: number,
): Promise<Batch> {
  const text = decoded(body)
  const events: IngestEvent[] = []
  const bad: MisfitRow[] = []
  let rows = 0
  let badRows = 0
  for (const row of form === 'array' ? elementsOf(text) : linesOf(text)) {
    rows += 1
    if (rows > maxRows) throw new UnreadableBodyError(`has more than ${maxRows} rows; send them in several requests`)
    const checked = checker.check(row)
    if ('partition' in checked) events.push(checked)
    else {
      if (form === 'array') checkJson(row, rows)
      badRows += 1
      if (bad.length < MOST_BAD_ROWS) bad.push(checked)
    }
    if (rows % ROWS_AT_ONCE === 0) await turn()
  }
  if (rows === 0) throw new UnreadableBodyError('has no rows; send at least one')
  return { events, bad, badRows }
}

/** One element of an array that is no JSON makes all of it none, unlike a line. */
function checkJson(element: string, number: number): void {
  if (isDeep(element)) throw new UnreadableBodyError(`has an element ${number} that is nested too deep`)
  try {
    JSON.parse(element)
  } catch {
    throw notJson(`its element ${number} cannot be read`)
  }
}

function decoded(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new UnreadableBodyError('is not UTF-8')
  }
}
