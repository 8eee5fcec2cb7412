import { isObject } from './is-object.js'

/** Longer chains are loops or mistakes. */
const MOST = 1000

/**
 * The objects in an error's chain: itself, every `cause`, every member of an `AggregateError`, and the `response` that
 * an HTTP library's error holds; nearest first. A cycle is followed once.
 */
export function causes(error: unknown): object[] {
  const found = new Set<object>()
  const queue: unknown[] = [error]
  for (let link = queue.shift(); found.size < MOST; link = queue.shift()) {
    if (isObject(link) && !found.has(link)) {
      found.add(link)
      const { cause, errors, response } = link as { cause?: unknown; errors?: unknown; response?: unknown }
      queue.push(cause, response)
      if (Array.isArray(errors)) for (const error of errors.slice(0, MOST)) queue.push(error)
    }
    if (queue.length === 0) break
  }
  return [...found]
}
