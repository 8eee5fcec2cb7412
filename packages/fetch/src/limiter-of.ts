import type { Limiter } from '@sluice/core'
import { baseUrl } from './base-url.js'
import type { FetchOptions } from './options.js'

/** The limiter that a call goes through; undefined where there is none, or where the URL is none and fetch will say so. */
export function limiterOf(
  { limit, limitKey }: Pick<FetchOptions, 'limit' | 'limitKey'>,
  url: string,
  method: string,
): Limiter | undefined {
  if (!limit || !('for' in limit)) return limit
  if (limitKey) return limit.for(limitKey(url, method))
  try {
    return limit.for(new URL(url, baseUrl(globalThis)).origin) // relative: the page's own
  } catch {
    return undefined
  }
}
