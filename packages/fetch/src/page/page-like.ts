/** What the adapter needs of a page; `window` is one, and so is a worker's `self`, which has less of it. */
export interface PageLike {
  addEventListener?(type: string, listener: (event: Event) => void): void
  removeEventListener?(type: string, listener: (event: Event) => void): void
  readonly navigator?: { readonly onLine?: boolean }
  readonly location?: { readonly href: string; reload?(): void }
  readonly sessionStorage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  readonly document?: Pick<Document, 'addEventListener' | 'querySelectorAll'>
}
