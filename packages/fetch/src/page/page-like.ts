/** What the adapter needs of a page; `window` is one, and so is a worker's `self`, which has less of it. */
export interface PageLike {
  addEventListener?(type: string, listener: (event: Event) => void, options?: { capture?: boolean }): void
  removeEventListener?(type: string, listener: (event: Event) => void): void
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
  addEventListener(type: string, listener: (event: Event) => void, options: { capture: true; passive: true }): void
  querySelectorAll(selectors: string): ArrayLike<object>
}
