import type { Failure } from '@sluice/core'
import type { PageLike } from './page-like.js'

/**
 * Holds a retry back while the page is offline, after a failure without an answer (U3).
 * @returns a function that stops listening; undefined where there is nothing to wait for
 */
export function waitForOnline(page: PageLike, failure: Failure, go: () => void): (() => void) | undefined {
  // Only `false` says something: a browser that is connected to anything at all says true.
  if (failure.kind === 'status' || page.navigator?.onLine !== false) return undefined
  page.addEventListener?.('online', go)
  return () => page.removeEventListener?.('online', go)
}
