import type { ErrorObject } from 'ajv'
import { isRecord, shown } from './problem.js'
import { schemaProblems } from './schema-problems.js'
import { type SchemaName, schemaOf } from './schemas.js'

/**
 * What is wrong with a document that is no table, by its schema in @sluice/spec.
 *
 * @returns one line for each field: `server.cores is 0; allowed: an integer ≥ 1`; empty where it is sound
 */
export function documentProblems(name: SchemaName, value: unknown): string[] {
  if (!isRecord(value)) return [`it is ${shown(value)}; allowed: an object`]
  const validate = schemaOf(name, 'refuse')
  if (validate(value)) return []
  return schemaProblems(meant(validate.errors ?? []), value).map(({ field, says }) => `${field} ${says}`)
}

/**
 * Of objects that a constant field tells apart only what is wrong with the alternative that was meant; where no alternative
 * has that constant, that alone.
 */
function meant(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const others = errors.filter(({ keyword, schemaPath }) => keyword === 'const' && /\/oneOf\/\d+\//.test(schemaPath))
  const isOther = (error: ErrorObject): boolean =>
    others.some((other) => branchOf(other) === branchOf(error) && error.instancePath.startsWith(parentOf(other)))
  const left = errors.filter((error) => error.keyword !== 'oneOf' && !isOther(error))
  const choices = errors.filter(({ keyword }) => keyword === 'oneOf')
  const unknown = choices.filter(
    ({ instancePath }) => !left.some((error) => error.instancePath.startsWith(instancePath)),
  )
  return [...left, ...unknown.flatMap(({ instancePath }) => constantOf(others, instancePath))]
}

/** All constants of one field, as a list of what is allowed. */
function constantOf(others: readonly ErrorObject[], instancePath: string): ErrorObject[] {
  const own = others.filter((other) => parentOf(other) === instancePath)
  const [first] = own
  if (first === undefined) return []
  return [{ ...first, keyword: 'enum', parentSchema: { enum: own.map(({ params }) => params.allowedValue) } }]
}

const parentOf = ({ instancePath }: ErrorObject): string => instancePath.slice(0, instancePath.lastIndexOf('/'))

const branchOf = ({ schemaPath }: ErrorObject): string | undefined => /^.*?\/oneOf\/\d+\//.exec(schemaPath)?.[0]
