import { isRecord } from '../../read/is-record.js'
import { type Raw, targetOf } from './raw.js'

/** Whether it is the bare name of a schema of the document, as a discriminator's mapping may hold it. */
export const isSchemaName = (raw: unknown, name: string): boolean =>
  isRecord(raw) &&
  isRecord(raw.components) &&
  isRecord(raw.components.schemas) &&
  Object.hasOwn(raw.components.schemas, name)

/**
 * For JSON.stringify: the document as the generators may see it.
 *
 * A discriminator's mapping may name a schema by its bare name, which openapi-typescript takes for a file; a reference
 * it becomes. What looks like a reference in an example and leads nowhere, or to an example elsewhere, is left out:
 * the generators would fetch it.
 */
export function closedReferences(raw: Raw): (key: string, value: unknown) => unknown {
  const referred = (name: unknown): unknown =>
    typeof name === 'string' && isSchemaName(raw, name)
      ? `#/components/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      : name
  return (key, value) => {
    if (typeof value === 'string') {
      const open = key === 'externalValue' || (key === '$ref' && targetOf(raw, value) === undefined)
      return open ? undefined : value
    }
    if (key !== 'discriminator' || !isRecord(value) || !isRecord(value.mapping)) return value
    const mapping = Object.entries(value.mapping).map(([tag, name]) => [tag, referred(name)])
    return { ...value, mapping: Object.fromEntries(mapping) }
  }
}
