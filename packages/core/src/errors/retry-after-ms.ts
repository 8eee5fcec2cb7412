import { outcomeOf } from '../retry/outcome.js'
import { causes } from './causes.js'
import { isObject } from './is-object.js'

/**
 * The wait that the server stated with the failure behind `error`, wherever in its chain of causes (H5).
 * @returns ms, or null where none was stated or nothing is known of it
 */
export function retryAfterMs(error: unknown): number | null {
  for (const link of causes(error)) {
    const stated =
      outcomeOf(link)?.retryAfterMs ?? ('retryAfterMs' in link && isObject(link) ? link.retryAfterMs : null)
    if (typeof stated === 'number') return stated
  }
  return null
}
