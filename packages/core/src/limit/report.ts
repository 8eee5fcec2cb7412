/** How one attempt ended, as far as the limit goes (L2, L9, L10). Times are ms. */
export type AttemptReport =
  /** It succeeded. The latency is the server's own measure where there is one, else the time to the response's headers. */
  | { readonly kind: 'success'; readonly latencyMs: number }
  /** It was given up after so long; the answer would have taken at least that. */
  | { readonly kind: 'timeout'; readonly latencyMs: number }
  /** The server refused before acting, and stated a wait or (null) none. */
  | { readonly kind: 'throttle'; readonly retryAfterMs: number | null }
  /** Anything else: no sample, since failing fast is not being fast. */
  | { readonly kind: 'failure' }
