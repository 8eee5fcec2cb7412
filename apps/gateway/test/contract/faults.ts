import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Schema } from './document.js'

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictTypes: true })
addFormats.default(ajv)
const compiled = new Map<string, ValidateFunction>()

/** What of a value does not fit its schema (JSON Schema 2020-12), one line a fault; none: it fits. */
export function faultsOf(schema: Schema, value: unknown): string[] {
  const key = JSON.stringify(schema)
  let validate = compiled.get(key)
  if (validate === undefined) {
    validate = ajv.compile(schema)
    compiled.set(key, validate)
  }
  if (validate(value)) return []
  return (validate.errors ?? []).map((it) => `${it.instancePath || '(all of it)'} ${it.message}`)
}
