import { type FieldFault, shortened } from '../../field-fault.js'
import type { Definition } from '../definition.js'
import { type Encode, encoderOf, Misfit } from './column-codec.js'
import { sentDigits } from './exact-number.js'
import { PlainRows } from './plain-rows.js'
import { shapeFault } from './row-shape.js'
import { FIRST_DAY, partitionOf } from './time.js'

/** A row that fits: as it is kept, and where. */
export interface FittingRow {
  readonly partition: string
  readonly row: string
}

/** A row that does not fit, and why. */
export interface MisfitRow {
  readonly row: string
  readonly errors: readonly FieldFault[]
  /** It cannot be parsed at all. */
  readonly isNoJson?: boolean
}

/** What became of a row. */
export type CheckedRow = FittingRow | MisfitRow

/** More of one row are not told. */
const MOST_ERRORS = 10

interface CheckedColumn {
  readonly encode: Encode
  readonly isNullable: boolean
  /** With its colon, as it is kept. */
  readonly label: string
}

/**
 * Checks rows against the columns of a data source. What fits and does not have that form already is written anew from its
 * values, so that whatever was sent, what reaches an engine has each column once, numbers exact, times in UTC.
 */
export class RowChecker {
  readonly #name: string
  readonly #columns: ReadonlyMap<string, CheckedColumn>
  readonly #partition: Definition['partition']
  /** What need not be parsed: it learns from what was. */
  readonly plain: PlainRows

  constructor(name: string, definition: Definition) {
    const { columns, partition } = definition
    this.#name = name
    this.plain = new PlainRows(definition)
    this.#partition = partition
    this.#columns = new Map(
      columns.map(({ name: column, type, nullable = false }) => [
        column,
        { encode: encoderOf(type), isNullable: nullable, label: `${JSON.stringify(column)}:` },
      ]),
    )
  }

  /** @param text one row, JSON on any number of lines */
  check(text: string): CheckedRow {
    const fault = shapeFault(text, this.#columns.size)
    if (fault !== undefined) return { row: text, errors: [{ parameter: 'row', message: fault }] }
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      const errors = [{ parameter: 'row', message: 'is not JSON; send one object a line' }]
      return { row: text, errors, isNoJson: true }
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { row: text, errors: [{ parameter: 'row', message: 'is not a JSON object' }] }
    return this.#checkObject(value as Readonly<Record<string, unknown>>, text) // JSON's objects are such
  }

  #checkObject(row: Readonly<Record<string, unknown>>, text: string): CheckedRow {
    const errors: FieldFault[] = []
    const kept: string[] = []
    let partition: string | undefined
    let digits: ReadonlyMap<string, string> | undefined
    const digitsOf = (name: string) => {
      digits ??= sentDigits(text)
      return digits.get(name)
    }
    const names = Object.keys(row)
    for (const name of names) {
      if (errors.length >= MOST_ERRORS) break
      const value = row[name]
      const member = this.#encode(name, value, digitsOf)
      if (typeof member !== 'string') errors.push(faultOf(name, value, member))
      else {
        kept.push(member)
        if (name === this.#partition?.column) partition = member.slice(name.length + 4)
      }
    }
    if (errors.length > 0) return { row: text, errors }
    this.plain.learn(text, names)
    return { partition: partitionOf(partition ?? FIRST_DAY, this.#partition?.by), row: `{${kept.join(',')}}` }
  }

  #encode(name: string, value: unknown, digitsOf: (name: string) => string | undefined): string | Misfit {
    const column = this.#columns.get(name)
    if (column === undefined) return new Misfit(`is no column of ${this.#name}`)
    if (value === null) return column.isNullable ? `${column.label}null` : new Misfit('is null, which it cannot be')
    const kept = column.encode(value, name, digitsOf)
    return typeof kept === 'string' ? column.label + kept : kept
  }
}

function faultOf(name: string, value: unknown, { message }: Misfit): FieldFault {
  const shown = typeof value === 'string' ? value : Array.isArray(value) ? '[…]' : shownOf(value)
  return { parameter: shortened(name), value: shortened(shown), message }
}

/** Never all of a large object, which nobody would read. */
function shownOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? '{…}' : String(value)
}
