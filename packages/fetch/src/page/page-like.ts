import { baseUrl } from '../base-url.js'

/** What the adapter needs of a page; `window` is one, and so is a worker's `self`, which has less of it. */
export interface PageLike {
  addEventListener?(type: string, listener: (event: Event) => void, options?: { capture?: boolean }): void
  removeEventListener?(type: string, listener: (event: Event) => void): void
  /** That of its requests: `null` in a frame that is sandboxed. */
  readonly origin?: string
  readonly navigator?: { readonly onLine?: boolean }
  readonly location?: { readonly href: string; reload?(): void }
  readonly sessionStorage?: StorageLike
  readonly document?: DocumentLike
}

// Not `Storage` and `Document`: where types are checked for a worker there are none.
interface StorageLike {
  getItem(name: string): string | null
  setItem(name: string, value: string): void
  removeItem(name: string): void
}

interface DocumentLike {
  readonly visibilityState: string
  readonly baseURI?: string
  addEventListener(type: string, listener: (event: Event) => void, options: { capture: true; passive: true }): void
  querySelectorAll(selectors: string): ArrayLike<object>
}

/** The page's own; of a frame that has none (`about:srcdoc`), that of the page which it came from. */
export const addressOf = (page: PageLike): string | undefined =>
  /^about:/.test(page.location?.href ?? '') ? baseUrl(page) : page.location?.href
