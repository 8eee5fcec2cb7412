/** How the stream of the status is doing. */
export type Connection =
  /** For the first time. */
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** It ended, or could not be opened; it will be opened again. */
  | { readonly kind: 'lost'; readonly message: string }
  /** The gateway does not take the token: to ask again with it is no use. */
  | { readonly kind: 'refused' }
