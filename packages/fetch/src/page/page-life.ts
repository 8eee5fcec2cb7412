import { pageLeft } from './abort-reasons.js'
import type { PageLike } from './page-like.js'

type Abort = (reason: unknown) => void

/** What a page that comes back hears: Chromium's first is `resume`, that of the HTML standard `visibilitychange`. */
const BACK = ['resume', 'visibilitychange', 'pageshow']

/** Ahead of the page's own listeners, so that what those call finds the page as it is. */
const FIRST = { capture: true }

/**
 * Whether the page is there, and what is under way in it (U2). Does not listen to `unload` or `beforeunload`, which
 * would keep the page out of the back-forward cache.
 */
class PageLife {
  readonly #underWay = new Set<Abort>()
  #left = false

  constructor(page: PageLike) {
    const leave = (): void => {
      this.#left = true
      for (const abort of [...this.#underWay]) abort(pageLeft())
    }
    const back = ({ type }: Event): void => {
      // A page that is left turns invisible too.
      if (type !== 'visibilitychange' || page.document?.visibilityState === 'visible') this.#left = false
    }
    page.addEventListener?.('pagehide', leave, FIRST)
    for (const type of BACK) page.addEventListener?.(type, back, FIRST)
  }

  /**
   * Aborts what joins when the page is left, at once where it has been.
   * @returns a function that ends that
   */
  join(abort: Abort): () => void {
    if (this.#left) abort(pageLeft())
    this.#underWay.add(abort)
    return () => void this.#underWay.delete(abort)
  }
}

const lives = /* @__PURE__ */ new WeakMap<PageLike, PageLife>()

/** One for all fetches of a page: listeners stay on it for as long as it lives. */
export const lifeOf = (page: PageLike): PageLife => {
  const life = lives.get(page) ?? new PageLife(page)
  lives.set(page, life)
  return life
}

export type { PageLife }
