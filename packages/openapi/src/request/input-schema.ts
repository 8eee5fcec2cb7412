import type { JsonSchema } from '../model/json-schema.js'
import type { Operation, RequestBody } from '../model/operation.js'
import { isRecord } from '../read/is-record.js'
import { argumentsOf } from './argument-names.js'
import { describedContent } from './choose-content.js'
import { kindsOf } from './kinds.js'
import { mediaKind } from './media-kind.js'

/**
 * One object schema for all arguments of an operation (draft 2020-12): a property a parameter, named as `argumentsOf`
 * names it, and `body`. Self-contained: what it refers to is under its `$defs`. Nothing else is allowed.
 *
 * A body that comes in several forms is described by the first that has fields, else by the first; lines that are one text
 * by what JSON takes as well, which is easier to give.
 */
export function inputSchema(operation: Operation): JsonSchema {
  const { body, defs } = operation
  const properties: [string, JsonSchema][] = argumentsOf(operation).map(({ name, parameter }) => [
    name,
    described(parameter.schema, parameter.description, parameter.deprecated),
  ])
  const required = argumentsOf(operation).flatMap(({ name, parameter }) => (parameter.required ? [name] : []))
  if (body !== null) {
    properties.push(['body', described(bodySchema(body, defs), body.description, false)])
    if (body.required) required.push('body')
  }
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...(Object.keys(defs).length > 0 && { $defs: defs }),
  }
}

function bodySchema({ content }: RequestBody, defs: Operation['defs']): JsonSchema {
  const first = describedContent(content)
  const schema = first?.schema ?? true
  const isTextOfLines =
    first !== undefined && mediaKind(first.contentType) === 'lines' && kindsOf(schema, defs)?.join() === 'string'
  const asJson = isTextOfLines ? content.find(({ contentType }) => mediaKind(contentType) === 'json') : undefined
  return asJson === undefined ? schema : { anyOf: [asJson.schema, schema] }
}

/** What is said of the parameter is nearer than what is said of its type. */
function described(schema: JsonSchema, description: string, deprecated: boolean): JsonSchema {
  if (schema === false) return schema
  return {
    ...(isRecord(schema) && schema),
    ...(description !== '' && { description }),
    ...(deprecated && { deprecated }),
  }
}
