import { type FieldFault, shortened } from '../../field-fault.js'
import type { Definition } from '../definition.js'
import { type Encode, encoderOf, Misfit } from './column-codec.js'
import { isDeep, sentDigits } from './exact-number.js'
import { partitionOf } from './time.js'

/** A row that fits: as it is kept, and where. */
export interface FittingRow {
  readonly partition: string
  readonly row: string
}

/** A row that does not, and why. */
export interface MisfitRow {
  readonly row: string
  readonly errors: readonly FieldFault[]
}

/** More of one row are not told. */
const MOST_ERRORS = 10
/** The partition of a row without its column, which has the type's zero. */
const FIRST_DAY = '1970-01-01'

interface CheckedColumn {
  readonly encode: Encode
  readonly isNullable: boolean
  /** With its colon, as it is kept. */
  readonly label: string
}

/**
 * Checks rows against the columns of a data source. What fits is written anew from its values, so that what reaches an
 * engine has one form whatever was sent: each column once, numbers exact, times in UTC.
 */
export class RowChecker {
  readonly #name: string
  readonly #columns: ReadonlyMap<string, CheckedColumn>
  readonly #partition: Definition['partition']

  constructor(name: string, { columns, partition }: Definition) {
    this.#name = name
    this.#partition = partition
    this.#columns = new Map(
      columns.map(({ name: column, type, nullable = false }) => [
        column,
        { encode: encoderOf(type), isNullable: nullable, label: `${JSON.stringify(column)}:` },
      ]),
    )
  }

  /** @param text one row, JSON on any number of lines */
  check(text: string): FittingRow | MisfitRow {
    if (isDeep(text))
      return { row: text, errors: [{ parameter: 'row', message: 'is nested too deep; send values alone' }] }
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return { row: text, errors: [{ parameter: 'row', message: 'is not JSON; send one object a line' }] }
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { row: text, errors: [{ parameter: 'row', message: 'is not a JSON object' }] }
    return this.#checkObject(value as Readonly<Record<string, unknown>>, text) // JSON's objects are such
  }

  #checkObject(row: Readonly<Record<string, unknown>>, text: string): FittingRow | MisfitRow {
    const errors: FieldFault[] = []
    let kept = ''
    let partition: string | undefined
    let digits: ReadonlyMap<string, string> | undefined
    const digitsOf = (name: string) => {
      digits ??= sentDigits(text)
      return digits.get(name)
    }
    for (const name of Object.keys(row)) {
      if (errors.length >= MOST_ERRORS) break
      const value = row[name]
      const member = this.#encode(name, value, digitsOf)
      if (typeof member !== 'string') errors.push(faultOf(name, value, member))
      else {
        kept += kept === '' ? member : `,${member}`
        if (name === this.#partition?.column) partition = member.slice(name.length + 4)
      }
    }
    if (errors.length > 0) return { row: text, errors }
    const by = this.#partition?.by
    return { partition: by ? partitionOf(partition ?? FIRST_DAY, by) : 'all', row: `{${kept}}` }
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
