import type { CallOptions, FetchOptions, SluiceFetch } from '../options.js'
import type { LoginExpired } from './login-watch.js'
import type { PageLike } from './page-like.js'

/** What `createPageFetch()` can be told beyond what `createFetch()` can. Everything is optional. */
export interface PageFetchOptions extends FetchOptions {
  /**
   * Called when a network failure outlasted the retries and the page's own server now leads elsewhere: the login at a
   * reverse proxy has expired (U5). Default: nobody asks.
   */
  onLoginExpired?: ((expired: LoginExpired) => void) | undefined
  /** What is asked to find that out, of the page's own origin. Default: the page's own address. */
  loginCheckUrl?: string | URL | undefined
  /** The page, or a double of it. Default: the global object, in a worker too. */
  page?: PageLike | undefined
}

/** What `.with()` changes. */
export type PageCallOptions = CallOptions & {
  /** A call with this key takes the place of an earlier one that is under way, which is aborted (U2). Default: none. */
  supersede?: string | undefined
}

/** A fetch for a page, with the policy inside. */
export interface PageFetch extends SluiceFetch {
  /**
   * The same fetch with other settings, for one call or many. Shares everything else, the waiting calls included.
   * @throws TypeError that names the field and the value
   */
  with(options: PageCallOptions): PageFetch
}
