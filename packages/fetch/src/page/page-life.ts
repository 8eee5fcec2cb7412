import { pageLeft } from './abort-reasons.js'
import type { PageLike } from './page-like.js'

type Abort = (reason: unknown) => void

/**
 * Whether the page is there, and what is under way in it (U2). Listens to `pagehide` and `pageshow` alone: a listener
 * to `unload` or `beforeunload` would keep the page out of the back-forward cache.
 */
class PageLife {
  readonly #underWay = new Set<Abort>()
  #left = false

  constructor(page: PageLike) {
    page.addEventListener?.('pagehide', () => {
      this.#left = true
      for (const abort of [...this.#underWay]) abort(pageLeft())
    })
    page.addEventListener?.('pageshow', () => {
      this.#left = false // also as it comes back from the back-forward cache
    })
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
