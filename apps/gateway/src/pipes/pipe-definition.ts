import { z } from 'zod'
import { dateParameter, integerParameter, type PipeParameter, textParameter } from './parameter.js'
import type { Pipe } from './pipe.js'
import { plainFault } from './reach.js'
import { placeholderFault } from './registry.js'
import { selectFault } from './sql-words.js'

const NAME = z.string('is not text').regex(/^[a-z][a-z0-9_]{0,63}$/, 'is not a name: a-z, 0-9 and _, a letter first')
const DESCRIPTION = z.string('is not text').max(1000, 'has more than 1000 characters').default('')
const UINT32 = 4_294_967_295
const whole = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`
  return z.int(message).min(min, message).max(max, message)
}

/** A parameter as an administrator defines it: `PipeParameterDefinition` of the API. */
interface ParameterDefinition {
  readonly name: string
  readonly type: 'Date' | 'String' | 'UInt32'
  readonly description: string
  readonly default?: string | undefined
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly max_length?: number | undefined
}

const parameter: z.ZodType<ParameterDefinition> = z
  .strictObject({
    name: NAME,
    type: z.enum(['Date', 'String', 'UInt32'], 'is not one of Date, String, UInt32'),
    description: DESCRIPTION,
    default: z.string('is not text').optional(),
    min: whole(0, UINT32).optional(),
    max: whole(0, UINT32).optional(),
    max_length: whole(1, 65_536).optional(),
  })
  .superRefine(({ type, min, max, max_length, ...it }, context) => {
    const fault = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
    if (type !== 'UInt32' && min !== undefined) fault('min', `is for UInt32; this is ${type}`)
    if (type !== 'UInt32' && max !== undefined) fault('max', `is for UInt32; this is ${type}`)
    if (type !== 'String' && max_length !== undefined) fault('max_length', `is for String; this is ${type}`)
    if ((min ?? 0) > (max ?? UINT32)) fault('min', `is above max, ${max}`)
    const { schema, accepts } = parameterOf({ type, min, max, max_length, ...it })
    const isEmptyText = type === 'String' && it.default === ''
    if (it.default !== undefined && !isEmptyText && !schema.safeParse(it.default).success)
      fault('default', `is not ${accepts}`)
  })

/** A pipe as an administrator defines it, every default in place: `PipeDefinition` of the API. */
export interface PipeDefinition {
  readonly description: string
  readonly sql: string
  readonly parameters: readonly ParameterDefinition[]
}

/** What an administrator sends, or is kept. */
export const pipeDefinitionSchema: z.ZodType<PipeDefinition> = z
  .strictObject({
    description: DESCRIPTION,
    sql: z.string('is not text').min(1, 'is empty').max(65_536, 'has more than 65536 characters'),
    parameters: z.array(parameter, 'must be a list of parameters').max(100, 'has more than 100 parameters').default([]),
  })
  .superRefine(({ sql, parameters }, context) => {
    const fault = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message })
    for (const [i, { name }] of parameters.entries())
      if (parameters.findIndex((it) => it.name === name) < i)
        fault(['parameters', i, 'name'], 'is there twice; give each parameter its own name')
    const typeOf = (parameter: string) => parameters.find((it) => it.name === parameter)?.type
    const wrong =
      selectFault(sql) ?? plainFault(sql, typeOf) ?? placeholderFault({ sql, parameters: parametersOf(parameters) })
    if (wrong !== undefined) fault(['sql'], wrong)
  })

/** The pipe that was defined. */
export function pipeOf(name: string, { description, sql, parameters }: PipeDefinition): Pipe {
  return { name, description, sql, parameters: parametersOf(parameters) }
}

/** Some value for each parameter, to have the engine look at a query. */
export function sampleOf(pipe: Pipe): Record<string, string> {
  const samples: Readonly<Record<string, string>> = { Date: '2000-01-01', String: 'a', UInt32: '1' }
  return Object.fromEntries(
    Object.entries(pipe.parameters).map(([name, { type, default: byDefault }]) => [
      name,
      byDefault ?? samples[type] ?? '',
    ]),
  )
}

function parametersOf(parameters: readonly ParameterDefinition[]): Record<string, PipeParameter> {
  return Object.fromEntries(parameters.map((it) => [it.name, parameterOf(it)]))
}

function parameterOf({
  type,
  description,
  min = 0,
  max = UINT32,
  max_length: maxLength = 64,
  ...it
}: ParameterDefinition) {
  const described = { description, ...(it.default !== undefined && { default: it.default }) }
  if (type === 'Date') return dateParameter(described)
  return type === 'String' ? textParameter({ ...described, maxLength }) : integerParameter({ ...described, min, max })
}
