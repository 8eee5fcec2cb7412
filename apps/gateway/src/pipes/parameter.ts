import { z } from 'zod'

/** One parameter of a pipe: how it is written in the query string, checked at the edge, and typed in the SQL. */
export interface PipeParameter {
  /** The type of its placeholder, in ClickHouse's words: `Date`, `String`, `UInt32`. */
  readonly type: string
  readonly description: string
  /** What is right, and so what to do about a wrong value: "a whole number from 1 to 100". */
  readonly accepts: string
  /** Used when the caller leaves it out. Without one the parameter must be given. */
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

/** Any text up to a length. */
export function textParameter(options: Described & { readonly maxLength: number }): PipeParameter {
  const { maxLength, ...described } = options
  const schema = z.string().min(1).max(maxLength)
  return { ...described, type: 'String', accepts: `1 to ${maxLength} characters`, schema }
}

/** A whole number in digits. */
export function integerParameter(options: Described & { readonly min: number; readonly max: number }): PipeParameter {
  const { min, max, ...described } = options
  const schema = z
    .string()
    .regex(/^\d{1,10}$/)
    .refine((digits) => Number(digits) >= min && Number(digits) <= max)
  return { ...described, type: 'UInt32', accepts: `a whole number from ${min} to ${max}`, schema }
}
