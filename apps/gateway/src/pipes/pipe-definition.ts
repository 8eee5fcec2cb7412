import { z } from 'zod'
import { strict } from '../schema-words.js'
import { boundOf } from './check-parameters.js'
import type { PipeParameter } from './parameter.js'
import { type ParameterDefinition, parameterOf, parameterSchema, SAMPLES } from './parameter-definition.js'
import type { Pipe } from './pipe.js'
import { plainFault } from './reach.js'
import { placeholderFault } from './registry.js'
import { readSql, sqlOf, type Token } from './sql-tokens.js'
import { selectFault } from './sql-words.js'

const DESCRIPTION = z.string('is not text').max(1000, 'has more than 1000 characters').default('')

/** A pipe as an administrator defines it, every default in place: `PipeDefinition` of the API. */
export interface PipeDefinition {
  readonly description: string
  readonly sql: string
  readonly parameters: readonly ParameterDefinition[]
}

/** A definition that is kept: of its SQL nothing is known but that it is text. */
export const keptDefinitionSchema: z.ZodType<PipeDefinition> = strict({
  description: DESCRIPTION,
  sql: z
    .string('is not text')
    .min(1, { error: 'is empty; write a SELECT', abort: true })
    .max(65_536, { error: 'has more than 65536 characters', abort: true }),
  parameters: z
    .array(parameterSchema, 'must be a list of parameters')
    .max(100, 'has more than 100 parameters')
    .default([]),
}).superRefine(({ parameters }, context) => {
  const message = 'is there twice; give each parameter its own name'
  for (const [i, { name }] of parameters.entries())
    if (parameters.findIndex((it) => it.name === name) < i)
      context.addIssue({ code: 'custom', path: ['parameters', i, 'name'], message })
})

/** A definition, and what was read of it. */
export interface ReadDefinition {
  readonly definition: PipeDefinition
  readonly read: ReadPipe
}

/** What an administrator sends for a pipe of this name. Its SQL is read once, as that takes milliseconds. */
export function pipeSchema(name: string): z.ZodType<ReadDefinition> {
  return keptDefinitionSchema.transform((definition, context) => {
    const read = readPipe(name, definition)
    if (read.fault === undefined) return { definition, read }
    context.issues.push({ code: 'custom', path: ['sql'], message: read.fault, input: definition.sql })
    return z.NEVER
  })
}

/** A pipe as it was defined. */
export interface ReadPipe {
  /** Its SQL is written anew from what was looked at: nothing else of it comes to an engine. Empty where there is a fault. */
  readonly pipe: Pipe
  readonly tokens: readonly Token[]
  /** Why this SQL is not that of a pipe, whatever engine runs it, after its name. */
  readonly fault?: string
}

/** Reads a definition. */
export function readPipe(name: string, { description, sql, parameters }: PipeDefinition): ReadPipe {
  const { tokens, fault: unread } = readSql(sql)
  const typeOf = (parameter: string) => parameters.find((it) => it.name === parameter)?.type
  const pipe = { name, description, sql: sqlOf(tokens), parameters: parametersOf(parameters) }
  const fault = unread ?? selectFault(tokens) ?? plainFault(tokens, typeOf) ?? placeholderFault(pipe)
  return fault === undefined ? { pipe, tokens } : { pipe: { ...pipe, sql: '' }, tokens: [], fault }
}

/** Some value for each parameter, to have the engine look at a query. */
export function sampleOf(pipe: Pipe): Record<string, string> {
  return Object.fromEntries(
    Object.entries(pipe.parameters).map(([name, { type, default: byDefault, schema }]) => [
      name,
      byDefault === undefined ? (SAMPLES[type] ?? '') : boundOf(schema, byDefault),
    ]),
  )
}

function parametersOf(parameters: readonly ParameterDefinition[]): Record<string, PipeParameter> {
  return Object.fromEntries(parameters.map((it) => [it.name, parameterOf(it)]))
}
