import { isRecord } from './is-record.js'
import { Broken, type Place, step } from './place.js'

/** Follows `$ref` from one object to the next, as far as it goes. */
export function resolve(root: unknown, place: Place): Place {
  const seen = new Set<string>()
  let at = place
  while (isRecord(at.value) && typeof at.value.$ref === 'string') {
    if (seen.has(at.pointer)) throw new Broken(place, `$ref ${at.value.$ref} leads back to itself`)
    seen.add(at.pointer)
    at = target(root, at.value.$ref, at)
  }
  return at
}

/**
 * What a reference points to.
 *
 * @throws Broken where it points out of the document, or nowhere
 */
export function target(root: unknown, ref: string, from: Place): Place {
  const here = { pointer: step(from.pointer, '$ref') }
  if (!ref.startsWith('#'))
    throw new Broken(
      here,
      `$ref ${ref} points out of the document; bundle it into one file first (redocly bundle, say)`,
    )
  const segments = decoded(ref.slice(1)).split('/')
  if (segments.shift() !== '')
    throw new Broken(here, `$ref ${ref} must be a pointer from the root of the document: #/components/schemas/…`)
  let value = root
  let pointer = ''
  for (const segment of segments) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
      throw new Broken(
        here,
        `$ref ${ref} points to nothing: there is no ${key} in ${pointer === '' ? 'the document' : `#${pointer}`}`,
      )
    // Own, and of an object or an array: both are read by key.
    value = (value as { readonly [key: string]: unknown })[key]
    pointer = step(pointer, key)
  }
  return { value, pointer }
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment // a percent sign that stands for itself
  }
}
