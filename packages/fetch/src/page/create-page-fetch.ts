import { interactive, type RetryPolicy, retryPolicy, systemClock } from '@sluice/core'
import { checkedPolicy, shown } from '@sluice/core/adapter'
import { checkOptions, FUNCTION, type Kind } from '../check-options.js'
import { build, changed } from '../create-fetch.js'
import type { FetchOptions } from '../options.js'
import { WaitingStore } from '../waiting-calls.js'
import { beginCall, type Surroundings, type Wishes } from './begin-call.js'
import { hiddenWaitHint } from './hidden-wait.js'
import { LoginWatch } from './login-watch.js'
import type { PageCallOptions, PageFetch, PageFetchOptions } from './options.js'
import { lifeOf } from './page-life.js'
import { addressOf, type PageLike } from './page-like.js'
import { sentOnce } from './sent-once.js'
import { Superseding } from './superseding.js'

/** U1: `interactive`, but that nobody looks at a panel that loads for longer than half a minute. */
export const pagePolicy: RetryPolicy = /* @__PURE__ */ retryPolicy({ attemptTimeoutMs: 30_000 }, interactive)

/** U4: one send, whatever comes of it. */
const ONCE = { maxAttempts: 1, throttleBudgetMs: null }

const isAddress = (value: unknown): boolean => typeof value === 'string' || value instanceof URL
const PAGE_OPTIONS: Record<Exclude<keyof PageFetchOptions, keyof FetchOptions>, Kind> = {
  onLoginExpired: FUNCTION,
  loginCheckUrl: ['a string or a URL', isAddress],
  page: ['the window, or an object like it', (value) => typeof value === 'object' && value !== null],
}

/** What the fetches of one `createPageFetch()` have in common. */
interface Shared {
  readonly waiting: WaitingStore
  readonly passed: { count: number }
  readonly around: Surroundings
}

/**
 * Makes a fetch for a page: `createFetch()`, and what a page needs beside it (U1–U5). Calls end when the page is left,
 * or when a later one takes their place; retries wait while it is offline. Works in a worker too, which nobody leaves.
 *
 * @throws TypeError for an option there is none of or that is not what it must be, or a policy that was not made by
 *   `retryPolicy()`
 */
export function createPageFetch(options: PageFetchOptions = {}): PageFetch {
  checkOptions(options, 'createPageFetch', PAGE_OPTIONS)
  // Every field of PageLike is one of the global object's, or missing there.
  const { onLoginExpired, loginCheckUrl, page = globalThis as PageLike, ...rest } = options
  if (loginCheckUrl !== undefined) checkSameOrigin(loginCheckUrl, page)
  const seen = hiddenWaitHint(rest.logger)
  const { clock = systemClock } = rest
  const around: Surroundings = {
    ...{ page, clock, life: lifeOf(page), superseding: new Superseding(), seen },
    login: undefined,
  }
  const login = onLoginExpired && new LoginWatch(page, loginCheck(rest, around), { onLoginExpired, loginCheckUrl })
  const policy = checkedPolicy(rest.policy ?? pagePolicy, 'createPageFetch')
  const shared = { waiting: new WaitingStore(), passed: { count: 0 }, around: { ...around, login } }
  return fetchOf({ ...rest, policy }, shared, undefined)
}

/** One request that nobody waits for: past the limit, once, and ended with the page. */
function loginCheck({ fetch, clock }: FetchOptions, around: Surroundings): typeof globalThis.fetch {
  const policy = retryPolicy({ maxAttempts: 1, attemptTimeoutMs: 10_000 })
  return build({ fetch, clock, policy }, new WaitingStore(), { count: 0 }, (source) => beginCall(source, around))
}

function fetchOf(
  options: FetchOptions & { policy: RetryPolicy },
  shared: Shared,
  supersede: string | undefined,
): PageFetch {
  const { waiting, passed, around } = shared
  const buildWith = (options: FetchOptions, wishes: Wishes): typeof fetch =>
    build(options, waiting, passed, (source) => beginCall(source, around, wishes))
  const retrying = buildWith(options, { supersede })

  const call = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const why = sentOnce(input, init)
    if (why === undefined) return retrying(input, init)
    // A stream would keep its slot for as long as it lasts, and what outlives the page cannot wait for one.
    const once = { ...options, policy: retryPolicy(ONCE, options.policy), letPast: () => true }
    return buildWith(once, { supersede, outlivesPage: why === 'keepalive' })(input, init)
  }

  return Object.assign(call, {
    waiting,
    passed,
    with({ supersede: key = supersede, ...changes }: PageCallOptions): PageFetch {
      if (key !== undefined && (typeof key !== 'string' || key === ''))
        throw new TypeError(`with: supersede must be a string that is not empty; got ${shown(key)}`)
      return fetchOf(changed(options, changes, options.policy), shared, key)
    },
  })
}

/** Another origin's redirects say nothing of this page's login, and it would have to allow the request. */
function checkSameOrigin(url: string | URL, page: PageLike): void {
  const address = addressOf(page)
  if (address === undefined) return
  const { origin } = new URL(address)
  let asked: string | undefined
  try {
    asked = new URL(url, address).origin
  } catch {
    // Nothing is relative to the address of a worker that was made from a blob.
  }
  if (asked !== origin)
    throw new TypeError(
      `createPageFetch: loginCheckUrl must be of the page's own origin, ${origin}; got ${asked ?? shown(url)}`,
    )
}
