import { InvalidArgumentError } from 'commander'

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/**
 * Reads `500ms`, `5s`, `1.5s`, `2m` or `1h`.
 * @param leastMs the smallest value allowed
 * @returns a parser of option arguments that answers whole ms, or refuses with what is allowed
 */
export const durationArgument =
  (leastMs: number) =>
  (text: string): number => {
    const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? []
    // The pattern allows no other unit.
    const ms = number === undefined ? Number.NaN : Number(number) * UNITS[unit as keyof typeof UNITS]
    const whole = Math.round(ms)
    // 1.005 s is 1004.9999999999999 ms in binary, and means 1005.
    if (Math.abs(whole - ms) < 1e-6 && whole >= leastMs && Number.isSafeInteger(whole)) return whole
    const least = leastMs > 0 ? ', at least 1ms' : ''
    throw new InvalidArgumentError(`It must be a time such as 500ms, 5s, 1.5s or 2m, in whole milliseconds${least}.`)
  }
