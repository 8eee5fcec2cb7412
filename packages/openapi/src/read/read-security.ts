import type { SecurityScheme } from '../model/operation.js'
import { items, members, type Place, type RecordPlace, record } from './place.js'
import type { Reading } from './reading.js'
import { resolve } from './resolve.js'

type Schemes = ReadonlyMap<string, SecurityScheme>

/** The schemes that a document declares and that are understood; the others are noted. */
export function readSchemes(reading: Reading, place: Place): Schemes {
  const schemes = new Map<string, SecurityScheme>()
  for (const [name, one] of members(place, 'securitySchemes')) {
    const scheme = readScheme(name, record(resolve(reading.root, one), 'a security scheme'))
    if (scheme === null) reading.note(one, `the security scheme ${name} is of no kind that OpenAPI has; it is left out`)
    else schemes.set(name, scheme)
  }
  return schemes
}

function readScheme(name: string, at: RecordPlace): SecurityScheme | null {
  const { type, scheme, in: place, name: parameter } = at.value
  if (type === 'http' && typeof scheme === 'string') return { type, name, scheme: scheme.toLowerCase() }
  if (
    type === 'apiKey' &&
    typeof parameter === 'string' &&
    (place === 'header' || place === 'query' || place === 'cookie')
  )
    return { type, name, in: place, parameter }
  if (type === 'oauth2' || type === 'openIdConnect' || type === 'mutualTLS') return { type, name }
  return null
}

/** Alternatives, each a set of schemes; one that needs what is not declared is noted and left out. */
export function readSecurity(reading: Reading, place: Place, schemes: Schemes): readonly (readonly SecurityScheme[])[] {
  return items(place, 'security').flatMap((alternative) => {
    const names = Object.keys(record(alternative, 'a security requirement').value)
    const needed = names.flatMap((name) => schemes.get(name) ?? [])
    if (needed.length === names.length) return [needed]
    const unknown = names.filter((name) => !schemes.has(name))
    reading.note(alternative, `the security scheme ${unknown.join(', ')} is not declared; this alternative is left out`)
    return []
  })
}
