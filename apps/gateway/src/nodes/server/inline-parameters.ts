import { literal } from '../sql/literal.js'
import { piecesOf, type SqlPiece } from './sql-pieces.js'

const WHOLE = /^U?Int(8|16|32|64)$/
const FLOAT = /^Float(32|64)$/
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/
const DAY_MS = 86_400_000
/** Of a Date: days since 1970, in 16 bits. */
const MOST_DAYS = 65_535

/**
 * SQL with literals instead of its placeholders, for servers that know no parameters. Types are of our SQL, values of
 * a caller: each is written as escaped bytes that are cast to the type. As a bare literal it would have the least type
 * that it fits in, and `bitNot(5)` another value; so only where the grammar takes nothing else.
 * @throws TypeError for a placeholder without a value, and a whole number that is none
 */
export function inlineParameters(sql: string, params: Readonly<Record<string, string>>): string {
  return piecesOf(sql)
    .map((piece) => (piece.placeholder === undefined ? piece.text : written(piece, params)))
    .join('')
}

function written({ placeholder, isBare }: SqlPiece, params: Readonly<Record<string, string>>): string {
  const { name = '', type = '' } = placeholder ?? {}
  const value = Object.hasOwn(params, name) ? params[name] : undefined
  if (value === undefined) throw new TypeError(`parameter "${name}" has no value`)
  if (WHOLE.test(type) && !/^-?\d{1,20}$/.test(value)) throw new TypeError(`parameter "${name}" is no whole number`)
  if (isBare) return bare(type, value)
  const days = type === 'Date' ? daysOf(value) : undefined
  // Servers read the text of a day after 2105 as no day at all, and its number well.
  return days === undefined ? `CAST(${literal(value)} AS ${type})` : `toDate(${days})`
}

function bare(type: string, value: string): string {
  const isNumber = WHOLE.test(type) || (FLOAT.test(type) && NUMBER.test(value))
  if (!isNumber) return literal(value)
  return value.startsWith('-') ? ` ${value}` : value // behind a minus another one would begin a comment
}

function daysOf(value: string): number | undefined {
  const days = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(value) / DAY_MS : Number.NaN
  return days >= 0 && days <= MOST_DAYS ? days : undefined
}
