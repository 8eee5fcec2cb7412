import { z } from 'zod'
import { momentOf } from '../ingest/rows/time.js'
import { LARGEST_FLOAT32, rangeOf, type WholeType } from '../nodes/whole-types.js'

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

/** A day that exists, `2001-02-28`. The engine itself would read 2001-02-30 as the second of March. */
export function dateParameter(options: Described): PipeParameter {
  return { ...options, type: 'Date', accepts: 'a date written YYYY-MM-DD', schema: z.iso.date() }
}

/** A moment, in UTC or with an offset, bound as seconds since 1970: a text would be read in the engine's own zone. */
export function timeParameter(options: Described): PipeParameter {
  const accepts = 'a time written 2026-01-01T12:00:00Z, from 1970 to 2106'
  const schema = bound(40, (text) => {
    const moment = momentOf(text)
    // Ten digits: fewer are read as a year by some versions.
    return moment && String(Date.parse(moment) / 1000).padStart(10, '0')
  })
  return { ...options, type: 'DateTime', accepts, schema }
}

/** Any text up to a length. */
export function textParameter(options: Described & { readonly maxLength: number }): PipeParameter {
  const { maxLength, ...described } = options
  const schema = z.string().min(1).max(maxLength)
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
export function numberParameter(options: Bounded & { readonly type?: 'Float32' | 'Float64' }): PipeParameter {
  const { type = 'Float64', min, max, ...described } = options
  const most = type === 'Float32' ? LARGEST_FLOAT32 : Number.MAX_VALUE
  const [from, to] = [Number(min ?? -most), Number(max ?? most)]
  const schema = bound(40, (text) => {
    const value = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN
    return value >= from && value <= to ? String(value) : undefined
  })
  const bounds = [min === undefined ? [] : [`from ${min}`], max === undefined ? [] : [`to ${max}`]].flat()
  return { ...described, type, accepts: ['a number such as 1.5', ...bounds].join(' '), schema }
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
