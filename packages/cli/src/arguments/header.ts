import { UsageError } from '../usage-error.js'

/**
 * Reads `Name: value` options into headers; a name that is given twice has both values.
 * @throws UsageError that names the header and never shows its value, which may be a secret
 */
export function headersOf(lines: readonly string[]): Headers {
  const headers = new Headers()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trim()
    if (colon < 0) throw new UsageError(`-H: a header is written 'Name: value'; there is no colon in what was given`)
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new UsageError(`-H: ${JSON.stringify(name)} is no header name`)
    try {
      headers.append(name, line.slice(colon + 1).trim())
    } catch {
      throw new UsageError(`-H: the value of ${name} holds characters that a header cannot carry`)
    }
  }
  return headers
}
