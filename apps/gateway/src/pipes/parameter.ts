import { z } from 'zod'
import { dayOf, momentOf } from '../ingest/rows/time.js'
import { type FloatType, largestOf, rangeOf, type WholeType } from '../nodes/whole-types.js'

/** One parameter of a pipe: how it is written in the query string, checked at the edge, and typed in the SQL. */
export interface PipeParameter {
  /** The type of its placeholder, in ClickHouse's words: `Date`, `String`, `UInt64`. */
  readonly type: string
  readonly description: string
  /** What is right, and so what to do about a wrong value: "a whole number from 1 to 100". */
  readonly accepts: string
  /** Used when the caller leaves it out, written as a caller would. Without one the parameter must be given. */
  readonly default?: string
  /** Takes the text of the query string and gives the text that is bound. */
  readonly schema: z.ZodType<string, string>
}

interface Described {
  readonly description: string
  readonly default?: string
}

/**
 * A day that exists, `2001-02-28`, and that Date can hold. An engine itself would read 2001-02-30 as the second of March,
 * and one before 1970 or after 2149 as the first or the last that there is, or as none.
 */
export function dateParameter(options: Described): PipeParameter {
  const accepts = 'a date written YYYY-MM-DD, from 1970-01-01 to 2149-06-06'
  return { ...options, type: 'Date', accepts, schema: bound(10, dayOf) }
}

/** A moment, in UTC or with an offset, bound as seconds since 1970: a text would be read in the engine's own zone. */
export function timeParameter(options: Described): PipeParameter {
  const accepts = 'a time written 2026-01-01T12:00:00Z, from 1970-01-01T00:00:00Z to 2106-02-07T06:28:15Z'
  const schema = bound(40, (text) => {
    const moment = momentOf(text)
    // Ten digits: fewer are read as a year by some versions.
    return moment && String(Date.parse(moment) / 1000).padStart(10, '0')
  })
  return { ...options, type: 'DateTime', accepts, schema }
}

/** Half of a character, which engines would get as another one. */
const HALF = /\p{Surrogate}/u

/** Any text up to a length, in characters: an emoji is one. */
export function textParameter(options: Described & { readonly maxLength: number }): PipeParameter {
  const { maxLength, ...described } = options
  const schema = bound(2 * maxLength, (text) => {
    const isShort = text.length <= maxLength || Array.from(text).length <= maxLength
    return text !== '' && isShort && !HALF.test(text) ? text : undefined
  })
  return { ...described, type: 'String', accepts: `1 to ${maxLength} characters`, schema }
}

interface Bounded extends Described {
  readonly min?: number | bigint
  readonly max?: number | bigint
}

/** A whole number in digits. @param options `type`: default `UInt32`; `min`, `max`: default what it can hold */
export function integerParameter(options: Bounded & { readonly type?: WholeType }): PipeParameter {
  const { type = 'UInt32', min, max, ...described } = options
  const { least, most } = rangeOf(type)
  const [from, to] = [min === undefined ? least : BigInt(min), max === undefined ? most : BigInt(max)]
  const schema = bound(20, (text) => {
    const value = /^-?\d+$/.test(text) ? BigInt(text) : undefined
    return value !== undefined && value >= from && value <= to ? String(value) : undefined
  })
  return { ...described, type, accepts: `a whole number from ${from} to ${to}`, schema }
}

/** A number with or without a fraction, also as `1e-3`. @param options `type`: default `Float64` */
export function numberParameter(options: Bounded & { readonly type?: FloatType }): PipeParameter {
  const { type = 'Float64', min, max, ...described } = options
  const most = largestOf(type)
  const [from, to] = [Number(min ?? -most), Number(max ?? most)]
  const schema = bound(400, (text) => {
    const value = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN
    return value >= from && value <= to ? String(value) : undefined
  })
  return { ...described, type, accepts: `a number such as 1.5, from ${from} to ${to}`, schema }
}

/** @param read what is bound of a text; undefined: it is not right */
function bound(maxLength: number, read: (text: string) => string | undefined): z.ZodType<string, string> {
  return z.string().transform((text, context) => {
    const value = text.length <= maxLength ? read(text) : undefined
    if (value !== undefined) return value
    context.addIssue({ code: 'custom', message: 'is not right' })
    return z.NEVER
  })
}
