import type { ColumnType } from '../../nodes/store-node.js'
import type { Definition } from '../definition.js'
import type { FittingRow } from './plain-rows.js'
import { FIRST_DAY, partitionOf } from './time.js'

/** Days that there are, from 1970 to 2099, but for the 29th of February. */
const DAY =
  '(?:19[7-9]\\d|20\\d\\d)-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))'
const TIME = 'T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d'
const FRACTION = '\\.\\d{1,9}'
/** Seventeen digits tell every number of 64 bits from its neighbours; more are left to who parses them. */
const FLOAT = '(?:0|-?(?:0\\.\\d{1,17}|[1-9]\\d{0,14}(?:\\.\\d{1,17})?))'

/** What is surely in the range of a type, and written as it is kept. */
const PLAIN: Readonly<Record<Exclude<ColumnType, 'Date' | 'DateTime'>, string>> = {
  String: '"[^"\\\\\\u0000-\\u001f]*"',
  Int8: '(?:0|-?(?:[1-9]\\d?|1[01]\\d))',
  Int16: '(?:0|-?(?:[1-9]\\d{0,3}|[12]\\d{4}))',
  Int32: '(?:0|-?(?:[1-9]\\d{0,8}|1\\d{9}))',
  Int64: '(?:0|-?[1-9]\\d{0,17})',
  UInt8: '(?:0|[1-9]\\d?|1\\d\\d)',
  UInt16: '(?:0|[1-9]\\d{0,3}|[1-5]\\d{4})',
  UInt32: '(?:0|[1-9]\\d{0,8}|[1-3]\\d{9})',
  UInt64: '(?:0|[1-9]\\d{0,17})',
  Float32: FLOAT,
  Float64: FLOAT,
}

/** Rows with the same members in the same order. */
export class PlainShape {
  readonly #pattern: RegExp
  /** Groups of what is kept, between which there are fractions of seconds. */
  readonly #keptAt: readonly number[]
  /** The group that has the day by which rows are parted; 0: there is none. */
  readonly #dayAt: number
  readonly #by: 'day' | 'month' | 'year' | undefined
  #day = FIRST_DAY
  #partition: string

  /**
   * @param names of the members, each a column's
   * @param example whose times with a fraction of a second are taken for times that always have one
   */
  constructor(names: readonly string[], { columns, partition }: Definition, example: string) {
    const byName = new Map(columns.map((column) => [column.name, column]))
    const keptAt = [1]
    let [groups, dayAt] = [1, 0]
    const members = names.map((name) => {
      const { type = 'String', nullable = false } = byName.get(name) ?? {}
      let value = ''
      if (type !== 'Date' && type !== 'DateTime') value = PLAIN[type]
      else {
        if (name === partition?.column) dayAt = ++groups
        const day = dayAt > 0 && name === partition?.column ? `(${DAY})` : DAY
        const isCut = type === 'DateTime' && !nullable && hasFraction(name, example)
        if (isCut) keptAt.push(++groups)
        value = type === 'Date' ? `"${day}"` : `"${day}${TIME}${isCut ? `)${FRACTION}(` : ''}Z"`
      }
      return `"${name}": ?${nullable ? `(?:${value}|null)` : value}`
    })
    this.#pattern = new RegExp(`^(\\{${members.join(', ?')}\\})$`)
    this.#keptAt = keptAt
    this.#dayAt = dayAt
    this.#by = partition?.by
    this.#partition = partitionOf(FIRST_DAY, this.#by)
  }

  /** @returns undefined: it has another shape, or must be parsed */
  read(row: string): FittingRow | undefined {
    const found = this.#pattern.exec(row)
    if (found === null) return undefined
    const day = this.#dayAt > 0 ? (found[this.#dayAt] ?? FIRST_DAY) : this.#day
    if (day !== this.#day) {
      this.#day = day
      this.#partition = partitionOf(day, this.#by)
    }
    if (this.#keptAt.length === 1) return { partition: this.#partition, row }
    let kept = ''
    for (const at of this.#keptAt) kept += found[at]
    return { partition: this.#partition, row: kept }
  }
}

function hasFraction(name: string, row: string): boolean {
  return new RegExp(`"${name}": ?"[^"]*\\.\\d+Z"`).test(row)
}
