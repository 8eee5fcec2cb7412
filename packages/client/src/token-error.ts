/** The function given to `.bearer()` failed, or gave what is no token; `cause` says which. */
export class TokenError extends Error {
  constructor(cause: unknown) {
    super('the function given to .bearer() gave no token', { cause })
    this.name = 'TokenError'
  }
}
