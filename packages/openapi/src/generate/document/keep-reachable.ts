import { isRecord } from '../../read/is-record.js'
import { type Raw, tokensOf } from './raw.js'

/** Leaves out the components that nothing refers to any more, directly or through others. */
export function keepReachable(raw: Raw): Raw {
  const { components, ...rest } = raw
  if (!isRecord(components)) return raw
  const reached = new Map<unknown, Set<string>>()
  const queue: unknown[] = [rest]
  const reach = (section: string, name: string): void => {
    const names = reached.get(section) ?? new Set()
    reached.set(section, names)
    if (names.has(name)) return
    names.add(name)
    const all = components[section]
    if (isRecord(all)) queue.push(all[name])
  }
  while (queue.length > 0) eachReference(queue.pop(), reach)
  const kept = Object.entries(components).flatMap(([section, all]): [string, unknown][] => {
    if (!isRecord(all) || section.startsWith('x-')) return [[section, all]]
    const names = Object.entries(all).filter(([name]) => reached.get(section)?.has(name))
    return names.length === 0 ? [] : [[section, Object.fromEntries(names)]]
  })
  return { ...rest, components: Object.fromEntries(kept) }
}

function eachReference(value: unknown, reach: (section: string, name: string) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) eachReference(item, reach)
    return
  }
  if (!isRecord(value)) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$ref' && typeof inner === 'string') reachPointer(inner, reach)
    else if (key === 'security' && Array.isArray(inner)) {
      for (const needed of inner) if (isRecord(needed)) for (const name in needed) reach('securitySchemes', name)
    } else if (key === 'discriminator' && isRecord(inner) && isRecord(inner.mapping)) {
      // A mapping holds references or bare names of schemas.
      for (const name of Object.values(inner.mapping).map(String))
        if (name.startsWith('#')) reachPointer(name, reach)
        else reach('schemas', name)
    } else eachReference(inner, reach)
  }
}

const reachPointer = (reference: string, reach: (section: string, name: string) => void): void => {
  const [root, section, name] = reference.startsWith('#/components/') ? tokensOf(reference) : []
  if (root && section && name) reach(section, name)
}
