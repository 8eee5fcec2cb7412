import type { PageLike } from './page-like.js'

const MARK = 'sluice.reloaded'

/** Pages that have set it, and are there still. */
const markers = /* @__PURE__ */ new WeakSet<PageLike>()

/** What made this tab reload, kept across the reload (U5): it says that it must not be done again. */
export class ReloadMark {
  readonly #page: PageLike
  /** As far as is known here; asked of the storage only once, since every success asks. */
  #known: string | null | undefined

  constructor(page: PageLike) {
    this.#page = page
  }

  /**
   * @returns whether there was none, or of this very page, whose reload somebody has called off; and one could be set:
   *   without a storage there is no way to reload only once
   */
  set(url: string): boolean {
    const set = this.#try((storage) => {
      if (storage.getItem(MARK) !== null && !markers.has(this.#page)) return false
      storage.setItem(MARK, url)
      return true
    })
    if (set) {
      this.#known = url
      markers.add(this.#page)
    }
    return set === true
  }

  /** Takes the mark away where it was set for this URL, which works again. */
  clear(url: string): void {
    if (this.#known === undefined) this.#known = this.#try((storage) => storage.getItem(MARK)) ?? null
    if (this.#known !== url) return
    this.#known = null
    this.#try((storage) => storage.removeItem(MARK))
  }

  /** Storage may be forbidden, or missing: merely to look at it may throw. */
  #try<T>(use: (storage: NonNullable<PageLike['sessionStorage']>) => T): T | undefined {
    try {
      return this.#page.sessionStorage && use(this.#page.sessionStorage)
    } catch {
      return undefined
    }
  }
}
