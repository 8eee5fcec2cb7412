import { shown } from '@sluice/core/adapter'
import { isPageLeft } from '../page/abort-reasons.js'
import { retryAfterMs } from '../retry-after-ms.js'

/**
 * Default options for a TanStack Query client whose queries use our fetch: `new QueryClient({ defaultOptions: queryDefaults })`.
 * What can be retried has been when a query fails, so nothing is retried a second time on top of it (R14): a query that
 * asks a server which is down sends 4 times, and not 4 × 4. A query that uses another fetch may say `retry: 3` for itself.
 * A query that ended since the page was left (U2) has not failed: it goes on if the page comes back.
 */
export const queryDefaults: Readonly<{
  queries: Readonly<{ retry: (failures: number, error: unknown) => boolean }>
  mutations: Readonly<{ retry: false }>
}> = /* @__PURE__ */ Object.freeze({
  queries: /* @__PURE__ */ Object.freeze({ retry: (_: number, error: unknown) => isPageLeft(error) }),
  mutations: /* @__PURE__ */ Object.freeze({ retry: false }),
})

/** `setInterval`, which TanStack Query uses, takes a signed 32-bit number; anything above it comes at once. */
const LONGEST_MS = 2 ** 31 - 1

/** As much of a query as {@link refetchEvery} looks at. */
interface QueryLike {
  readonly state: { readonly error: unknown }
}

/**
 * For `refetchInterval`: asks again after so long, but after a failure not before the server asked to be asked again.
 *
 * @param ms between two answers
 * @throws TypeError where that is not above 0, or is more than 2^31 − 1 (24 days)
 */
export function refetchEvery(ms: number): (query: QueryLike) => number {
  if (typeof ms !== 'number' || !(ms > 0 && ms <= LONGEST_MS))
    throw new TypeError(`refetchEvery: ms must be above 0 and at most ${LONGEST_MS}; got ${shown(ms)}`)
  return ({ state }) => Math.min(Math.max(ms, retryAfterMs(state.error) ?? 0), LONGEST_MS)
}
