/** A value of an answer as it is written in its table: arrays, tuples and maps as JSON, all else as it is. */
export const inCell = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
