/** How a server ended an attempt. */
export type Answer =
  | {
      readonly kind: 'status'
      readonly status: number
      /** What it said of when to come back, in ms; null: nothing. */
      readonly retryAfterMs: number | null
      /** Its own figure of how long it took, in ms. */
      readonly elapsedMs: number
    }
  /** Nobody is there. */
  | { readonly kind: 'connect' }
  /** The connection broke while it worked. */
  | { readonly kind: 'reset' }
