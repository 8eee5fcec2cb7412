import type { ErrorObject } from 'ajv'
import { caseName, isRecord, type Problem, shown } from './problem.js'

/** What ajv found (`allErrors`, `verbose`), as one problem a field. */
export function schemaProblems(errors: readonly ErrorObject[], table: Record<string, unknown>): Problem[] {
  const seen = new Set<string>()
  return errors.flatMap((error) => {
    // These two only say that another error was found.
    if (error.keyword === 'if' || error.keyword === 'propertyNames') return []
    const problem = { ...placeOf(error, table), says: says(error) }
    const key = `${problem.caseId} ${problem.field}`
    if (seen.has(key)) return []
    seen.add(key)
    return [problem]
  })
}

function placeOf(error: ErrorObject, table: Record<string, unknown>): Pick<Problem, 'caseId' | 'field'> {
  const steps = error.instancePath.split('/').slice(1).map(unescapePointer)
  const { missingProperty, additionalProperty } = error.params
  const last = missingProperty ?? additionalProperty
  const path = typeof last === 'string' ? [...steps, last] : steps
  const [head, index, ...rest] = path
  if (head !== 'cases' || index === undefined || !Array.isArray(table.cases)) {
    return { caseId: null, field: dotted(path) || 'table' }
  }
  const row: unknown = table.cases[Number(index)]
  return { caseId: caseName(row, Number(index)), field: dotted(rest) || 'case' }
}

/** Keywords whose demand can be read off the schema itself; the others' is in ajv's message. */
const READABLE =
  /^(type|const|enum|pattern|minLength|minItems|maxItems|minimum|maximum|exclusiveMinimum|exclusiveMaximum)$/

function says({ keyword, params, parentSchema, data, message, propertyName }: ErrorObject): string {
  const properties = isRecord(parentSchema?.properties) ? parentSchema.properties : {}
  if (keyword === 'required') {
    const allowed = describe(properties[params.missingProperty])
    return `is missing; ${allowed === null ? 'it must be given' : `allowed: ${allowed}`}`
  }
  if (keyword === 'additionalProperties') return `is unknown; allowed: ${Object.keys(properties).join(', ')}`
  if (propertyName !== undefined) return `has the name ${shown(propertyName)}; allowed: ${describe(parentSchema)}`
  const allowed = READABLE.test(keyword) ? describe(parentSchema) : null
  return `is ${shown(data)}; ${allowed === null ? `it ${message}` : `allowed: ${allowed}`}`
}

/** What a schema allows, in words; null where it does not say so in terms a reader would know. */
function describe(schema: unknown): string | null {
  if (!isRecord(schema)) return null
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(', ')
  const types = [schema.type].flat().filter((type) => typeof type === 'string')
  return types.length === 0 ? null : types.map((type) => describeType(type, schema)).join(' or ')
}

function describeType(type: string, schema: Record<string, unknown>): string {
  const bound = (words: string, value: unknown): string => (typeof value === 'number' ? ` ${words} ${value}` : '')
  switch (type) {
    case 'boolean':
      return 'true or false'
    case 'integer':
    case 'number':
      return [
        type === 'integer' ? 'an integer' : 'a number',
        bound('≥', schema.minimum),
        bound('>', schema.exclusiveMinimum),
        bound('≤', schema.maximum),
        bound('<', schema.exclusiveMaximum),
      ].join('')
    case 'string':
      if (typeof schema.pattern !== 'string') return `a string${bound('of a length ≥', schema.minLength)}`
      return typeof schema.description === 'string'
        ? schema.description.replace(/\.$/, '')
        : `a string that matches ${schema.pattern}`
    case 'array':
      return `a list${bound('of at least', schema.minItems)}${bound('and at most', schema.maxItems)}`
    case 'object':
      return 'an object'
    default:
      return type
  }
}

function dotted(path: readonly string[]): string {
  return path.reduce((text, step) => {
    if (/^\d+$/.test(step)) return `${text}[${step}]`
    return text === '' ? step : `${text}.${step}`
  }, '')
}

function unescapePointer(step: string): string {
  return step.replace(/~1/g, '/').replace(/~0/g, '~')
}
