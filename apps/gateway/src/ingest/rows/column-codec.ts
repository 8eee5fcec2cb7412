import type { ColumnType } from '../../nodes/store-node.js'
import { LARGEST_FLOAT32, rangeOf, type WholeType } from '../../nodes/whole-types.js'
import { dayOf, momentOf } from './time.js'

/** What is wrong with a value. */
export class Misfit {
  /** @param message what would be right, after the column's name: "is not a whole number from 0 to 255" */
  constructor(readonly message: string) {}
}

/**
 * Takes a value as `JSON.parse` has it and gives it as it is kept, as JSON: one that every engine reads as the same.
 * @param digitsOf a number's digits as they were sent, by its column's name, where they can be known
 */
export type Encode = (value: unknown, name: string, digitsOf: (name: string) => string | undefined) => string | Misfit

const MOST_TEXT_DIGITS = 20

/** How values of a column are checked and kept. */
export function encoderOf(type: ColumnType): Encode {
  if (type === 'String') return text
  if (type === 'DateTime') return moment
  if (type === 'Date') return day
  if (type === 'Float32' || type === 'Float64') return type === 'Float32' ? float32 : float64
  return wholeNumber(type)
}

const HALF = new Misfit('holds half a character (a lone surrogate)')
const NO_TEXT = new Misfit('is not text')
const text: Encode = (value) => {
  if (typeof value !== 'string') return NO_TEXT
  return /\p{Surrogate}/u.test(value) ? HALF : JSON.stringify(value)
}

const NO_MOMENT = new Misfit('is not a time written 2026-01-01T12:00:00Z, from 1970 to 2106')
const moment: Encode = (value) => {
  const it = typeof value === 'string' ? momentOf(value) : undefined
  return it === undefined ? NO_MOMENT : `"${it}"`
}

const NO_DAY = new Misfit('is not a date written 2026-01-01, from 1970 to 2149')
const day: Encode = (value) => {
  const it = typeof value === 'string' ? dayOf(value) : undefined
  return it === undefined ? NO_DAY : `"${it}"`
}

const NO_NUMBER = new Misfit('is not a number')
const float64: Encode = (value) => {
  if (typeof value !== 'number') return NO_NUMBER
  return Number.isFinite(value) ? String(value) : new Misfit('is larger than a Float64 can hold')
}
const float32: Encode = (value, name, digitsOf) => {
  if (typeof value === 'number' && Math.abs(value) > LARGEST_FLOAT32)
    return new Misfit('is larger than a Float32 can hold')
  return float64(value, name, digitsOf)
}

function wholeNumber(type: WholeType): Encode {
  const is64 = type.endsWith('64')
  const { least, most } = rangeOf(type)
  const [min, max] = [Number(least), Number(most)]
  const asText = is64 ? ', as a number or as text' : ''
  const misfit = new Misfit(`is not a whole number from ${least} to ${most}${asText}`)
  const exactly = (digits: string | undefined): string | Misfit => {
    if (digits === undefined || digits.length > MOST_TEXT_DIGITS || !/^-?\d+$/.test(digits)) return misfit
    const value = BigInt(digits)
    return value >= least && value <= most ? String(value) : misfit
  }
  return (value, name, digitsOf) => {
    if (typeof value === 'number') {
      if (Number.isSafeInteger(value)) return value >= min && value <= max ? String(value) : misfit
      return is64 && Number.isInteger(value) ? exactly(digitsOf(name)) : misfit
    }
    return is64 && typeof value === 'string' ? exactly(value) : misfit
  }
}
