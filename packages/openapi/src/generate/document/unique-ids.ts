import { isRecord } from '../../read/is-record.js'
import { pathItemsOf, type Raw } from './raw.js'

/**
 * Gives every operation that shares its operationId with another the id that it is read by, since generators refuse
 * such documents or mix the two up. Paths that hold nothing are left out.
 */
export function withUniqueIds(
  raw: Raw,
  operations: readonly { readonly id: string; readonly method: string; readonly path: string }[],
): Raw {
  if (!isRecord(raw.paths)) return raw
  const ids = new Map(operations.map(({ id, method, path }) => [`${method} ${path}`, id]))
  const paths = pathItemsOf(raw).map(([path, item]): [string, Raw] => {
    const renamed = Object.entries(item).flatMap(([name, operation]): [string, Raw][] => {
      const id = ids.get(`${name.toUpperCase()} ${path}`)
      if (id === undefined || !isRecord(operation) || !operation.operationId) return []
      return operation.operationId === id ? [] : [[name, { ...operation, operationId: id }]]
    })
    if (renamed.length === 0) return [path, item]
    const { $ref: _, ...own } = item // the one it points to has the ids of somebody else
    return [path, { ...own, ...Object.fromEntries(renamed) }]
  })
  return { ...raw, paths: Object.fromEntries(paths) }
}
