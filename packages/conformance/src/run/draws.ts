/** The draws of a row that states none: the least, the middle, the greatest below 1. All must satisfy the row. */
export const DRAWS: readonly number[] = [0, 0.5, 1 - 2 ** -53]

/** Where a row states no `now`: Thursday, 2026-01-01T00:00:00Z, in epoch milliseconds. */
export const DEFAULT_NOW: number = Date.UTC(2026, 0, 1)
