import { schemas } from '@sluice/spec'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { isRecord, shown } from '../table/problem.js'
import { schemaProblems } from '../table/schema-problems.js'
import { readSchema } from '../table/schemas.js'
import type { DriverActual, DriverAnswer, DriverHello, DriverSuite } from './protocol.js'

/** A message that is as the protocol says, or what is wrong with it, in words. */
export type Checked<T> = { message: T } | { problem: string }

const KINDS = ['actual', 'skipped', 'error'] as const

/** Optional fields of `actual`: a driver that never tells one says so by the feature `omits:FIELD`. */
export const OMITTABLE: readonly string[] = [
  'failure',
  'reason',
  'retry_after_ms',
  'attempts',
  'waited_ms',
  'ended_at_ms',
  'body_released',
]

/** Checks the answer to hello. */
export function checkHello(value: Record<string, unknown>, protocol: number): Checked<DriverHello> {
  if (typeof value.error === 'string' && !('name' in value)) return { problem: `refuses to start: ${value.error}` }
  if (value.protocol !== undefined && value.protocol !== protocol) {
    return { problem: `speaks protocol ${shown(value.protocol)}, and this runner speaks ${protocol}` }
  }
  const problem = problemOf('introduction', value)
  if (problem !== null) return { problem: `introduces itself wrongly: ${problem}` }
  // The schema has just said so.
  const hello = { features: [], ...value } as unknown as DriverHello
  const wrong = hello.features.find((one) => one.startsWith('omits:') && !OMITTABLE.includes(one.slice(6)))
  if (wrong !== undefined) {
    return { problem: `announces the feature ${shown(wrong)}; what may be omitted: ${OMITTABLE.join(', ')}` }
  }
  return { message: hello }
}

/** Checks the answer to a run of this suite. */
export function checkAnswer(value: Record<string, unknown>, suite: DriverSuite): Checked<DriverAnswer> {
  const given = KINDS.filter((kind) => value[kind] !== undefined)
  const [kind] = given
  if (kind === undefined || given.length > 1) {
    return {
      problem: `${kind === undefined ? 'none' : given.join(' and ')} given; allowed: one of ${KINDS.join(', ')}`,
    }
  }
  if (kind !== 'actual') {
    const text = value[kind]
    if (typeof text !== 'string') return { problem: `${kind} is ${shown(text)}; allowed: a sentence that says why` }
    return { message: kind === 'skipped' ? { skipped: text } : { error: text } }
  }
  const { actual } = value
  if (!isRecord(actual)) return { problem: `actual is ${shown(actual)}; allowed: an object` }
  const problem = problemOf(`actual-of-${suite}`, actual)
  // The schema has just said so.
  return problem === null ? { message: { actual: actual as DriverActual } } : { problem: `actual.${problem}` }
}

let compiled: Ajv2020 | undefined

function problemOf(definition: string, value: Record<string, unknown>): string | null {
  if (compiled === undefined) {
    // 1e400 is JSON, and Infinity here: a wrong answer, and not a broken protocol.
    compiled = new Ajv2020({ allErrors: true, verbose: true, allowUnionTypes: true, strictNumbers: false })
    compiled.addSchema(readSchema(schemas['driver-protocol']), 'protocol')
  }
  const validate: ValidateFunction | undefined = compiled.getSchema(`protocol#/$defs/${definition}`)
  if (validate === undefined) throw new TypeError(`the protocol's schema has no ${definition}`)
  if (validate(value)) return null
  return schemaProblems(validate.errors ?? [], value)
    .map(({ field, says }) => `${field} ${says}`)
    .join('; ')
}
