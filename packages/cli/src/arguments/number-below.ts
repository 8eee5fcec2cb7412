import { InvalidArgumentError } from 'commander'

/** @returns a parser of option arguments that answers a number of at least 0 and below `limit`, or refuses */
export const numberBelow =
  (limit: number = Number.POSITIVE_INFINITY) =>
  (text: string): number => {
    const value = Number(text)
    if (text.trim() !== '' && value >= 0 && value < limit) return value
    throw new InvalidArgumentError(
      `It must be a number of at least 0${Number.isFinite(limit) ? ` and below ${limit}` : ''}.`,
    )
  }
