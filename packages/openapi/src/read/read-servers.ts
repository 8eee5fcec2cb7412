import { isRecord } from './is-record.js'
import { child, items, members, type Place, record } from './place.js'
import type { Reading } from './reading.js'

/**
 * The base URLs under `servers`, variables at their defaults; null where there are none.
 * Relative ones are resolved where the document was read from a URL.
 */
export function readServers(reading: Reading, place: Place): readonly string[] | null {
  const found = items(place, 'servers')
  if (found.length === 0) return null
  return found.flatMap((one) => {
    const at = record(one, 'a server')
    const { url } = at.value
    if (typeof url !== 'string') {
      reading.note(one, 'a server needs a url; this one is left out')
      return []
    }
    const defaults = new Map(members(child(at, 'variables'), 'variables').map(([name, { value }]) => [name, value]))
    const filled = url.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
      const variable = defaults.get(name)
      return isRecord(variable) && variable.default !== undefined ? String(variable.default) : whole
    })
    if (/[{}]/.test(filled)) {
      reading.note(one, `the server ${url} has a variable without a default; it is left out`)
      return []
    }
    return [absolute(filled, reading.base)]
  })
}

/** OpenAPI: without servers the document's own host is the server. */
export const defaultServers = ({ base }: Reading): readonly string[] => (base === null ? [] : [new URL('/', base).href])

function absolute(url: string, base: URL | null): string {
  return base !== null && URL.canParse(url, base) ? new URL(url, base).href : url
}
