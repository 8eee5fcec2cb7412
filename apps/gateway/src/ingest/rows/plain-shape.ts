import type { Definition } from '../definition.js'
import { dayAt, MOMENT_BYTES, PLAIN, type ReadValue } from './plain-values.js'
import { FIRST_DAY, partitionOf } from './time.js'

const [OPEN, CLOSE, COMMA, SPACE, DOT] = [123, 125, 44, 32, 46]
const NULL = Buffer.from('null')

interface Member {
  /** With its quotes and colon. */
  readonly label: Uint8Array
  readonly read: ReadValue
  readonly isNullable: boolean
  /** It may have a fraction of a second. */
  readonly isMoment: boolean
  /** Rows are parted by it. */
  readonly isPartition: boolean
}

/** Rows with the same members in the same order. What it says of a row is of the one that it read last. */
export class PlainShape {
  readonly #members: readonly Member[]
  readonly #by: 'day' | 'month' | 'year' | undefined
  #day = 0
  #partition: string
  /** Where in the row is what is not kept of it, from and to in turn: fractions of seconds. */
  readonly gaps: Int32Array
  /** So many numbers of them are of the row. */
  gapsUsed = 0

  /** @param names of the members, each a column's */
  constructor(names: readonly string[], { columns, partition }: Definition) {
    const byName = new Map(columns.map((column) => [column.name, column]))
    this.#members = names.map((name) => {
      const { type = 'String', nullable: isNullable = false } = byName.get(name) ?? {}
      return {
        ...{ label: Buffer.from(`"${name}":`), read: PLAIN[type], isNullable },
        ...{ isMoment: type === 'DateTime', isPartition: name === partition?.column },
      }
    })
    this.#by = partition?.by
    this.#partition = partitionOf(FIRST_DAY, this.#by)
    this.gaps = new Int32Array(2 * this.#members.filter(({ isMoment }) => isMoment).length)
  }

  get partition(): string {
    return this.#partition
  }

  /** @returns false: it has another shape, or must be parsed */
  read(bytes: Uint8Array, from: number, end: number): boolean {
    let at = from
    let day = 0
    this.gapsUsed = 0
    for (let i = 0; i < this.#members.length; i++) {
      const { label, read, isNullable, isMoment, isPartition } = this.#members[i] as Member
      if (bytes[at] !== (i === 0 ? OPEN : COMMA)) return false
      at += i > 0 && bytes[at + 1] === SPACE ? 2 : 1
      if (!isAt(bytes, at, label)) return false
      at += label.length
      if (bytes[at] === SPACE) at++
      if (isNullable && isAt(bytes, at, NULL)) {
        at += NULL.length
        continue
      }
      const value = at
      at = read(bytes, value)
      if (at < 0) return false
      if (isMoment) this.#cut(bytes, value + 1 + MOMENT_BYTES, at - 2)
      if (isPartition) day = dayAt(bytes, value + 1)
    }
    if (bytes[at] !== CLOSE || at + 1 !== end) return false
    if (day !== this.#day) this.#partAt(day)
    return true
  }

  #cut(bytes: Uint8Array, from: number, end: number): void {
    if (bytes[from] !== DOT) return
    this.gaps[this.gapsUsed++] = from
    this.gaps[this.gapsUsed++] = end
  }

  /** @param day as the number 20260101; 0: a row has none, so it has its type's zero */
  #partAt(day: number): void {
    const digits = String(day)
    const text = day === 0 ? FIRST_DAY : `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
    this.#day = day
    this.#partition = partitionOf(text, this.#by)
  }
}

function isAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let i = 0; i < wanted.length; i++) if (bytes[at + i] !== wanted[i]) return false
  return true
}
