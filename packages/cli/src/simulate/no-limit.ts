/** A limit of so many is none: nobody ever has as many calls in flight. */
export const NO_LIMIT = 100_000
