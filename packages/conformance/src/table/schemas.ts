import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { schemas, tables } from '@sluice/spec'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Suite } from './table.js'

/** The published table of a suite in @sluice/spec. */
export function specTable(suite: Suite): URL {
  return tables[suite]
}

const validators = new Map<string, ValidateFunction>()

/** What has a schema in @sluice/spec: the suites, and other documents. */
export type SchemaName = keyof typeof schemas

/**
 * The validator of a suite's schema in @sluice/spec (JSON Schema 2020-12), found by the suite's name and not by `$schema`.
 *
 * @param unknown what happens to fields the schema does not know: they are refused, or dropped from the value.
 */
export function schemaOf(suite: SchemaName, unknown: 'refuse' | 'drop'): ValidateFunction {
  const key = `${suite} ${unknown}`
  const known = validators.get(key)
  if (known !== undefined) return known
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    removeAdditional: unknown === 'drop',
  })
  // Schemas may refer to others in the same folder.
  const folder = new URL('.', schemas[suite])
  for (const name of readdirSync(fileURLToPath(folder))) {
    const url = new URL(name, folder)
    if (name.endsWith('.schema.json') && url.href !== schemas[suite].href) ajv.addSchema(readSchema(url))
  }
  const validate = ajv.compile(readSchema(schemas[suite]))
  validators.set(key, validate)
  return validate
}

/** A schema as it lies in @sluice/spec. */
export function readSchema(url: URL): Record<string, unknown> {
  return JSON.parse(readFileSync(url, 'utf8'))
}
