import type { ColumnType } from '../../nodes/store-node.js'

/**
 * Reads a value that begins at a place.
 * @returns where it has ended; -1: it must be parsed
 */
export type ReadValue = (bytes: Uint8Array, at: number) => number

const [QUOTE, BACKSLASH, MINUS, DOT, COLON, DASH, ZERO] = [34, 92, 45, 46, 58, 45, 48]
const [LETTER_T, LETTER_Z] = [84, 90]
/** What is below is a control character, which no text of JSON has as it is. */
const SPACE = 32
/** Each whole number of so many is in the range of 64 bits. */
const MOST_DIGITS = 18
/** Seventeen tell every number of 64 bits from its neighbours; more are left to who parses them. */
const [MOST_BEFORE_DOT, MOST_BEHIND_DOT] = [15, 17]
const MOST_OF_SECOND = 9
/** How long `2026-01-01` is. */
const DAY_BYTES = 10
/** How long `2026-01-01T00:00:00` is: behind it may be a fraction of a second. */
export const MOMENT_BYTES = 19
/** Of the months, without the 29th of February. */
const DAYS = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** What is none is more than nine, as a number without a sign. */
const digitAt = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) - ZERO) >>> 0

/** Of more than 99: there are no two digits. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = digitAt(bytes, at)
  const ones = digitAt(bytes, at + 1)
  return tens < 10 && ones < 10 ? tens * 10 + ones : NONE
}
const NONE = 100

/** The day that is written there, as the number 20260101; -1: none from 1970 to 2099, or the 29th of February. */
export function dayAt(bytes: Uint8Array, at: number): number {
  const century = twoDigits(bytes, at)
  const year = twoDigits(bytes, at + 2)
  const month = twoDigits(bytes, at + 5)
  const day = twoDigits(bytes, at + 8)
  const isYear = (century === 19 && year >= 70) || (century === 20 && year < NONE)
  const isDay = day >= 1 && day <= (DAYS[month] ?? 0)
  if (!isYear || !isDay || bytes[at + 4] !== DASH || bytes[at + 7] !== DASH) return -1
  return century * 1_000_000 + year * 10_000 + month * 100 + day
}

/** What is surely in the range of a type, and written as it is kept but for the fraction of a second. */
export const PLAIN: Readonly<Record<ColumnType, ReadValue>> = {
  String: readText,
  Date: (bytes, at) =>
    bytes[at] === QUOTE && dayAt(bytes, at + 1) >= 0 && bytes[at + 1 + DAY_BYTES] === QUOTE ? at + 2 + DAY_BYTES : -1,
  DateTime: readMoment,
  Int8: whole(-128, 127),
  Int16: whole(-32_768, 32_767),
  Int32: whole(-2_147_483_648, 2_147_483_647),
  Int64: whole(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
  UInt8: whole(0, 255),
  UInt16: whole(0, 65_535),
  UInt32: whole(0, 4_294_967_295),
  UInt64: whole(0, Number.POSITIVE_INFINITY),
  Float32: readFloat,
  Float64: readFloat,
}

function readText(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== QUOTE) return -1
  for (let i = at + 1; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    if (byte === QUOTE) return i + 1
    if (byte === BACKSLASH || byte < SPACE) return -1
  }
  return -1
}

/** `2026-01-01T00:00:00Z`, with a fraction of a second or without. */
function readMoment(bytes: Uint8Array, at: number): number {
  const day = at + 1
  if (bytes[at] !== QUOTE || dayAt(bytes, day) < 0 || bytes[day + DAY_BYTES] !== LETTER_T) return -1
  const hour = twoDigits(bytes, day + 11)
  const minute = twoDigits(bytes, day + 14)
  const second = twoDigits(bytes, day + 17)
  const isTime = hour < 24 && minute < 60 && second < 60
  if (!isTime || bytes[day + 13] !== COLON || bytes[day + 16] !== COLON) return -1
  let end = day + MOMENT_BYTES
  if (bytes[end] === DOT) {
    const digits = digitsFrom(bytes, end + 1)
    if (digits === 0 || digits > MOST_OF_SECOND) return -1
    end += 1 + digits
  }
  return bytes[end] === LETTER_Z && bytes[end + 1] === QUOTE ? end + 2 : -1
}

function whole(min: number, max: number): ReadValue {
  return (bytes, at) => {
    const isNegative = bytes[at] === MINUS
    const first = isNegative ? at + 1 : at
    let value = 0
    let end = first
    for (let digit = digitAt(bytes, end); digit < 10; digit = digitAt(bytes, end)) {
      value = value * 10 + digit
      end++
    }
    const digits = end - first
    if (digits === 0 || digits > MOST_DIGITS) return -1
    if (bytes[first] === ZERO && (digits > 1 || isNegative)) return -1
    const signed = isNegative ? -value : value
    return signed >= min && signed <= max ? end : -1
  }
}

function readFloat(bytes: Uint8Array, at: number): number {
  const isNegative = bytes[at] === MINUS
  const first = isNegative ? at + 1 : at
  const digits = digitsFrom(bytes, first)
  if (digits === 0 || digits > MOST_BEFORE_DOT) return -1
  const isZero = bytes[first] === ZERO
  if (isZero && digits > 1) return -1
  const dot = first + digits
  if (bytes[dot] !== DOT) return isZero && isNegative ? -1 : dot
  const behind = digitsFrom(bytes, dot + 1)
  if (behind === 0 || behind > MOST_BEHIND_DOT) return -1
  // The zero that is less than zero is kept as the other one.
  if (isZero && isNegative && zerosFrom(bytes, dot + 1) === behind) return -1
  return dot + 1 + behind
}

function digitsFrom(bytes: Uint8Array, at: number): number {
  let end = at
  while (digitAt(bytes, end) < 10) end++
  return end - at
}

function zerosFrom(bytes: Uint8Array, at: number): number {
  let end = at
  while (bytes[end] === ZERO) end++
  return end - at
}
