import { InvalidArgumentError } from 'commander'
import { UsageError } from '../usage-error.js'

export const gather = (one: string, before: readonly string[] | undefined): string[] => [...(before ?? []), one]

/** A whole number of at least 1. */
export function wholeNumber(text: string): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= 1 && Number.isSafeInteger(value)) return value
  throw new InvalidArgumentError('It must be a whole number of at least 1.')
}

const UNITS = { ms: 1, s: 1000, m: 60_000 }

/** `500ms`, `50s`, `1.5s`, `2m` as whole ms. */
export function durationArgument(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? []
  const ms = number === undefined ? 0 : Math.round(Number(number) * UNITS[unit as keyof typeof UNITS]) // no other unit matches
  if (ms >= 1 && Number.isSafeInteger(ms)) return ms
  throw new InvalidArgumentError('It must be a time such as 500ms, 50s or 2m, at least 1ms.')
}

/**
 * Reads `Name: value` options into headers.
 * @throws UsageError that names the header and never shows its value, which may be a secret
 */
export function headersOf(lines: readonly string[]): Headers {
  const headers = new Headers()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 0)
      throw new UsageError("--header: a header is written 'Name: value'; there is no colon in what was given")
    const name = line.slice(0, colon).trim()
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new UsageError(`--header: ${JSON.stringify(name)} is no header name`)
    try {
      headers.append(name, line.slice(colon + 1).trim())
    } catch {
      throw new UsageError(`--header: the value of ${name} holds characters that a header cannot carry`)
    }
  }
  return headers
}
