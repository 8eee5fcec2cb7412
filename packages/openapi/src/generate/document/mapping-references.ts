import { isRecord } from '../../read/is-record.js'
import type { Raw } from './raw.js'

/**
 * For JSON.stringify: a discriminator's mapping may name a schema by its bare name, which openapi-typescript takes for
 * a reference that leads nowhere; a reference it becomes.
 */
export function mappingReferences(raw: Raw): (key: string, value: unknown) => unknown {
  const schemas = isRecord(raw.components) && isRecord(raw.components.schemas) ? raw.components.schemas : {}
  const referred = (name: unknown): unknown =>
    typeof name === 'string' && Object.hasOwn(schemas, name)
      ? `#/components/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      : name
  return (key, value) => {
    if (key !== 'discriminator' || !isRecord(value) || !isRecord(value.mapping)) return value
    const mapping = Object.entries(value.mapping).map(([tag, name]) => [tag, referred(name)])
    return { ...value, mapping: Object.fromEntries(mapping) }
  }
}
