import { isRecord } from '../../read/is-record.js'
import { keepReachable } from './keep-reachable.js'
import { METHODS, operationsOf, pathItemsOf, type Raw, targetOf, tokensOf } from './raw.js'
import { UnknownTagError } from './unknown-tag-error.js'

/**
 * The part of a document that some tags make: the operations that carry one of them, and what these refer to.
 * @throws UnknownTagError for a tag that no operation carries
 */
export function filterTags(raw: Raw, tags: readonly string[]): Raw {
  const known = new Set(operationsOf(raw).flatMap(({ operation }) => tagsOf(operation)))
  for (const tag of tags) if (!known.has(tag)) throw new UnknownTagError(tag, [...known])
  const wanted = (operation: unknown): boolean =>
    isRecord(operation) && tagsOf(operation).some((tag) => tags.includes(tag))
  const paths: [string, Raw][] = []
  for (const [path, item] of pathItemsOf(raw)) {
    const { $ref: _, ...fields } = item
    const kept = Object.entries(fields).filter(([name, value]) => !METHODS.includes(name) || wanted(value))
    if (kept.some(([name]) => METHODS.includes(name))) paths.push([path, Object.fromEntries(kept)])
  }
  const { webhooks: _, 'x-webhooks': __, ...rest } = raw // the second is what 3.0 documents call them
  const declared = Array.isArray(raw.tags) && raw.tags.filter((tag) => isRecord(tag) && tags.includes(String(tag.name)))
  const part = { ...rest, ...(declared && { tags: declared }), paths: Object.fromEntries(paths) }
  return keepReachable(inlined(part, raw, part) as Raw) // an object stays one
}

const tagsOf = (operation: Raw): string[] => (Array.isArray(operation.tags) ? operation.tags.map(String) : [])

/** References into operations that are gone: what they point to takes their place. */
function inlined(value: unknown, raw: Raw, part: Raw, within: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(item, raw, part, within))
  if (!isRecord(value)) return value
  const reference = value.$ref
  if (typeof reference === 'string' && reference.startsWith('#') && targetOf(part, reference) === undefined) {
    const target = targetOf(raw, reference)
    if (tokensOf(reference)[0] === 'components' || target === undefined) return value
    // A schema that contains itself, in a place that is gone, has no form without its reference.
    if (within.includes(reference)) return {}
    return inlined(target, raw, part, [...within, reference])
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inlined(inner, raw, part, within)]))
}
