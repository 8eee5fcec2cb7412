import { isObject } from './is-object.js'

/** Longer chains are loops or mistakes. */
const MOST = 1000

/**
 * The objects in an error's chain: itself, every `cause`, every member of an `AggregateError`, and the `response` that
 * an HTTP library's error holds; nearest first. A cycle is followed once.
 */
export function causes(error: unknown): object[] {
  const found = new Set<unknown>([error])
  // The set grows while it is walked, by what nobody has seen yet.
  for (const link of found) {
    if (found.size >= MOST) break
    if (!isObject(link)) continue
    const { cause, errors, response } = link as { cause?: unknown; errors?: unknown; response?: unknown }
    found.add(cause).add(response)
    if (Array.isArray(errors)) for (const error of errors.slice(0, MOST)) found.add(error)
  }
  return [...found].filter(isObject)
}
