import { z } from 'zod'
import { NAME, NAME_RULE } from '../name-rule.js'
import type { ColumnType } from '../nodes/store-node.js'
import { largestOf, rangeOf, WHOLE_TYPES, type WholeType } from '../nodes/whole-types.js'
import { strict } from '../schema-words.js'
import {
  dateParameter,
  integerParameter,
  numberParameter,
  type PipeParameter,
  textParameter,
  timeParameter,
} from './parameter.js'

const TYPES: readonly ColumnType[] = ['String', 'Date', 'DateTime', ...WHOLE_TYPES, 'Float32', 'Float64']

/** A parameter as an administrator defines it: `PipeParameterDefinition` of the API. */
export interface ParameterDefinition {
  readonly name: string
  /** Those of columns. */
  readonly type: ColumnType
  readonly description: string
  readonly default?: string | undefined
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly max_length?: number | undefined
}

const LENGTH = 'must be a whole number from 1 to 65536'

/** What an administrator sends, or is kept. */
export const parameterSchema: z.ZodType<ParameterDefinition> = strict({
  name: z.string('is not text').regex(NAME, NAME_RULE),
  type: z.enum(TYPES, `is not one of ${TYPES.join(', ')}`),
  description: z.string('is not text').max(1000, 'has more than 1000 characters').default(''),
  default: z.string({ error: ({ input }) => `must be text, as callers send it: ${asText(input)}` }).optional(),
  min: z.number('must be a number').optional(),
  max: z.number('must be a number').optional(),
  max_length: z.int(LENGTH).min(1, LENGTH).max(65_536, LENGTH).optional(),
}).superRefine((it, context) => {
  const { type, min, max, max_length } = it
  const fault = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message, continue: false })
  const wrong = Object.entries({ min, max }).flatMap(([field, value]) => {
    const message = value === undefined ? undefined : boundFault(type, value)
    return message === undefined ? [] : [{ field, message }]
  })
  for (const { field, message } of wrong) fault(field, message)
  if (type !== 'String' && max_length !== undefined) fault('max_length', `is for String; this is ${type}`)
  const isCrossed = min !== undefined && max !== undefined && min > max
  if (isCrossed) fault('min', `is above max, ${max}`)
  if (it.default === undefined || wrong.length > 0 || isCrossed) return
  const { schema, accepts } = parameterOf(it)
  const isEmptyText = type === 'String' && it.default === ''
  if (!isEmptyText && !schema.safeParse(it.default).success) fault('default', `is not ${accepts}`)
})

const asText = (value: unknown): string => (typeof value === 'object' ? '"1"' : JSON.stringify(String(value)))
const isWhole = (type: string): type is WholeType => (WHOLE_TYPES as readonly string[]).includes(type)

function boundFault(type: ParameterDefinition['type'], value: number): string | undefined {
  if (type === 'Float32' || type === 'Float64') {
    const most = largestOf(type)
    return value >= -most && value <= most ? undefined : `must be a number from ${-most} to ${most}`
  }
  if (!isWhole(type)) return `is for numbers; this is ${type}`
  // A number of JSON is exact up to here.
  const [least, most] = [BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)]
  const range = rangeOf(type)
  const [from, to] = [range.least > least ? range.least : least, range.most < most ? range.most : most]
  if (Number.isInteger(value) && value >= from && value <= to) return undefined
  return `must be a whole number from ${from} to ${to}`
}

/** The parameter that was defined. */
export function parameterOf({ type, description, min, max, max_length, ...it }: ParameterDefinition): PipeParameter {
  const described = { description, ...(it.default !== undefined && { default: it.default }) }
  const bounded = { ...described, ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
  if (isWhole(type)) return integerParameter({ ...bounded, type })
  switch (type) {
    case 'String':
      return textParameter({ ...described, maxLength: max_length ?? 64 })
    case 'Date':
      return dateParameter(described)
    case 'DateTime':
      return timeParameter(described)
    default:
      return numberParameter({ ...bounded, type })
  }
}

/** Some value of a type, as it is bound. */
export const SAMPLES: Readonly<Record<string, string>> = {
  ...{ String: 'a', Date: '2000-01-01', DateTime: '0946684800', Float32: '1', Float64: '1' },
  ...Object.fromEntries(WHOLE_TYPES.map((it) => [it, '1'])),
}
