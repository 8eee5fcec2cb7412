import { folded, nearest } from '../errors/nearest.js'
import { UnknownOperationError } from '../errors/unknown-operation-error.js'

/**
 * Where the operation stands that somebody means by an id: written exactly so, else the only one with the same letters
 * and digits, whatever the case and what is between them.
 *
 * @throws UnknownOperationError with the nearest ids
 */
export function findOperation(ids: readonly string[], id: string): number {
  const exact = ids.indexOf(id)
  if (exact >= 0) return exact
  const wanted = folded(id)
  const alike = wanted === '' ? [] : ids.flatMap((other, index) => (folded(other) === wanted ? [index] : []))
  const [only] = alike
  if (only !== undefined && alike.length === 1) return only
  const candidates = alike.map((index) => ids[index] ?? '').slice(0, 3)
  throw new UnknownOperationError(id, candidates.length > 0 ? candidates : nearest(id, ids))
}
