import type { IngestLines } from '@sluice/ingest'
import type { FieldFault } from '../../field-fault.js'
import type { SlicedWork } from '../../slices.js'
import type { CheckedRow, MisfitRow, RowChecker } from '../rows/row-checker.js'
import { BatchLines } from './batch-lines.js'
import { RowTexts } from './row-texts.js'
import { notJson, type RowsOfBody, UnreadableBodyError } from './rows-of-body.js'

/** What a body holds. */
export interface Batch {
  readonly events: readonly IngestLines[]
  /** That fit: so many are in the events. */
  readonly rows: number
  /** Rows that do not fit: the first of them, as there may be more than anybody would read. */
  readonly bad: readonly MisfitRow[]
  /** All of them, counted. */
  readonly badRows: number
}

/** More of one body are counted and not kept. */
const MOST_BAD_ROWS = 1000
/** Each partition of a request is a block of its own: tens of thousands would hold up everybody, here and on their node. */
const MOST_PARTITIONS = 1000
/** One row with more is not parsed. What is quarantined of it is its beginning. */
const [MOST_ROW_BYTES, QUARANTINED_BYTES] = [1_048_576, 4096]
const TOO_LONG: readonly FieldFault[] = [
  { parameter: 'row', message: `has more than ${MOST_ROW_BYTES} bytes; send less in a row` },
]

/**
 * Checks each row of a body.
 * @throws UnreadableBodyError
 */
export async function readBatch(rows: RowsOfBody, checker: RowChecker, work: SlicedWork): Promise<Batch> {
  const { form, bounds } = rows
  const { body } = rows
  const { plain } = checker
  const texts = new RowTexts(body)
  const lines = new BatchLines(body)
  const bad: MisfitRow[] = []
  let badRows = 0
  for (let i = 0; i < bounds.length; i += 2) {
    const [from = 0, end = 0] = [bounds[i], bounds[i + 1]]
    if (work.isDue(end - from)) await work.pause()
    const found = end - from > MOST_ROW_BYTES ? undefined : plain.read(body, from, end)
    if (found !== undefined) lines.add(found, from, end)
    else {
      const checked = rowAt(rows, texts, from, end, checker)
      if (checked === undefined) continue
      if ('partition' in checked) lines.addText(checked.partition, checked.row)
      else {
        // One element of an array that is no JSON makes all of it none, unlike a line.
        if (checked.isNoJson && form === 'array') throw notJson(`its element ${i / 2 + 1} cannot be read`)
        badRows += 1
        if (bad.length < MOST_BAD_ROWS) bad.push(checked)
      }
    }
    if (lines.partitions > MOST_PARTITIONS) throw tooManyPartitions()
  }
  if (lines.rows + badRows === 0) throw new UnreadableBodyError('has no rows; send at least one')
  return { events: lines.all(), rows: lines.rows, bad, badRows }
}

/** @returns undefined: it is a line with nothing in it */
function rowAt(
  { body, form }: RowsOfBody,
  texts: RowTexts,
  from: number,
  end: number,
  checker: RowChecker,
): CheckedRow | undefined {
  if (end - from > MOST_ROW_BYTES) {
    const head = body.subarray(from, from + QUARANTINED_BYTES)
    return { row: new TextDecoder().decode(head, { stream: true }), errors: TOO_LONG }
  }
  const row = texts.at(from, end)
  if (form === 'array') return checker.check(row)
  const line = row.trim() // of spaces that are none of JSON too
  return line === '' ? undefined : checker.check(line)
}

function tooManyPartitions(): UnreadableBodyError {
  return new UnreadableBodyError(
    `has rows of more than ${MOST_PARTITIONS} partitions; send them in several requests, or partition by more`,
  )
}
