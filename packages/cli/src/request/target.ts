import { UsageError } from '../usage-error.js'

const METHOD_FIRST = 'give the method first: sluice request GET https://…'

/**
 * Checks where the request goes.
 * @param text undefined: only one argument was given, and `method` is that
 * @throws UsageError with the remedy; a URL that may hold a secret is not repeated
 */
export function checkUrl(text: string | undefined, method: string): string {
  let url: URL
  if (text === undefined)
    throw new UsageError(/[.:/]/.test(method) ? METHOD_FIRST : `the URL is missing: sluice request ${method} https://…`)
  try {
    url = new URL(text)
  } catch {
    const guess = /^[\w.-]+(:\d+)?([/?#]|$)/.test(text) ? `; did you mean http://${shown(text)}?` : ''
    throw new UsageError(`${shown(text)} is no URL: it must begin with http:// or https://${guess}`)
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const guess = /^[\w.-]+:\d/.test(text) ? `; did you mean http://${shown(text)}?` : ''
    throw new UsageError(`a URL must begin with http:// or https://, not ${url.protocol}${guess}`)
  }
  if (url.username || url.password)
    throw new UsageError(`the URL holds a user name or password; send them with -H 'Authorization: …'`)
  return text
}

const shown = (url: string): string => url.replace(/[?#].*/s, '')

/** @throws UsageError for what no HTTP client of this kind can send */
export function checkMethod(method: string, hasBody: boolean): string {
  if (/[:/]/.test(method)) throw new UsageError(METHOD_FIRST)
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(method)) throw new UsageError(`${JSON.stringify(method)} is no HTTP method`)
  if (/^(connect|trace|track)$/i.test(method)) throw new UsageError(`${method} cannot be sent: fetch forbids it`)
  if (hasBody && /^(get|head)$/i.test(method))
    throw new UsageError(`--data: a ${method} request carries no body; use POST, PUT, PATCH or QUERY`)
  return method
}
