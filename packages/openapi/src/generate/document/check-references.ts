import { isRecord } from '../../read/is-record.js'
import { type Place, step } from '../../read/place.js'
import { target } from '../../read/resolve.js'
import { isSchemaName } from './closed-references.js'

/** Hold parts by names that the document chose: one that is called `default` or `x-…` is a part like the others. */
const BY_NAME: ReadonlySet<string> = new Set([
  ...['paths', 'webhooks', 'callbacks', 'pathItems', 'parameters', 'requestBodies', 'responses', 'headers', 'links'],
  ...['schemas', 'properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
])
/** Hold data, where `$ref` is a word like any other. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const'])

/**
 * Every reference of a document, also where the reader does not look: the generators would read any file and fetch any
 * URL that one names.
 *
 * @throws Broken for the first that leads out of the document, or nowhere
 */
export function checkReferences(root: unknown): void {
  const check = ({ value, pointer }: Place, byName = false): void => {
    if (Array.isArray(value)) {
      for (const [index, inner] of value.entries()) check({ value: inner, pointer: step(pointer, index) })
      return
    }
    if (!isRecord(value)) return
    for (const [key, inner] of Object.entries(value)) {
      const at = { value: inner, pointer: step(pointer, key) }
      if (byName) check(at)
      else if (key === '$ref' && typeof inner === 'string') target(root, inner, { value, pointer })
      else if (key === 'discriminator') checkMapping(root, at)
      else if (!DATA.has(key) && !key.startsWith('x-')) check(at, BY_NAME.has(key))
    }
  }
  check({ value: root, pointer: '' })
}

/** A mapping holds references or bare names of schemas. */
function checkMapping(root: unknown, { value, pointer }: Place): void {
  if (!isRecord(value) || !isRecord(value.mapping)) return
  for (const [tag, name] of Object.entries(value.mapping))
    if (typeof name === 'string' && !isSchemaName(root, name))
      target(root, name, { value, pointer: step(step(pointer, 'mapping'), tag) })
}
