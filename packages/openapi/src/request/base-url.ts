import { ArgumentError } from '../errors/argument-error.js'

/**
 * A base URL, ready to be followed by a path.
 *
 * @throws ArgumentError where it is no http(s) URL, or holds credentials, which do not belong in a URL
 */
export function parseBaseUrl(baseUrl: string): { readonly base: string; readonly query: string } {
  let url: URL
  try {
    url = new URL(baseUrl)
  } catch {
    const shown = baseUrl.replace(/[?#].*/s, '').replace(/^.*@/s, '') // what was left out may be a secret
    throw new ArgumentError('baseUrl', `${shown} is no absolute URL; write https://api.example.com/v1, say`, baseUrl)
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new ArgumentError('baseUrl', `must be an http or https URL; got ${url.protocol}`, baseUrl)
  if (url.username !== '' || url.password !== '')
    throw new ArgumentError('baseUrl', 'must hold no user name and no password; send them in a header', baseUrl)
  return { base: url.origin + url.pathname.replace(/\/+$/, ''), query: url.search.slice(1) }
}
