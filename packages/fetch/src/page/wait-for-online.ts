import type { Clock, Failure } from '@sluice/core'
import type { PageLike } from './page-like.js'

/** How often it is looked whether the page is online again: workers are not told. */
const LOOK_EVERY_MS = 1000

/**
 * Holds a retry back while the page is offline, after a failure without an answer (U3).
 * @returns a function that ends that; undefined where there is nothing to wait for
 */
export function waitForOnline(
  page: PageLike,
  clock: Clock,
  failure: Failure,
  go: () => void,
): (() => void) | undefined {
  // Only `false` says something: a browser that is connected to anything at all says true.
  const offline = (): boolean => page.navigator?.onLine === false
  if (failure.kind === 'status' || !offline()) return undefined
  let cancel: () => void
  const look = (): void => {
    if (offline()) cancel = clock.timer(LOOK_EVERY_MS, look)
    else go()
  }
  look()
  page.addEventListener?.('online', go)
  return () => {
    cancel()
    page.removeEventListener?.('online', go)
  }
}
