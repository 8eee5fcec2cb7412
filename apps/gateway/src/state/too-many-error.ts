/** A tenant has as many as it may have. Nothing has changed. */
export class TooManyError extends Error {
  override readonly name = 'TooManyError'

  constructor(
    readonly what: 'data sources' | 'pipes',
    readonly most: number,
  ) {
    super(`There are ${most} ${what} of this tenant, and there may be no more.`)
  }
}
