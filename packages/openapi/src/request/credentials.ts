import { CredentialError } from '../errors/credential-error.js'
import type { Operation, SecurityScheme } from '../model/operation.js'

/** Where a credential goes in a request. */
export interface Placed {
  /** Names in lower case. A `cookie` goes beside those that there are. */
  readonly headers: Readonly<Record<string, string>>
  /** `name=value`, encoded, to be put after what there is; '' for none. */
  readonly query: string
}

const NOWHERE: Placed = { headers: {}, query: '' }

/** Whether a header can carry it: one line of printable ASCII. */
export const isToken = (text: string): boolean => /^[\x20-\x7e]+$/.test(text)

/**
 * Puts a token where an operation wants it, beside the headers that are given anyhow: they have the last word.
 *
 * - Of several alternatives the first that one token completes. A scheme is complete where its header is given; a
 *   certificate (`mutualTLS`) is the connection's affair.
 * - `bearer`, `oauth2`, `openIdConnect`: `Authorization: Bearer`. `basic`: the token is `user:password`. Another http
 *   scheme: its name and the token. `apiKey`: the header, the query or the cookie that it names.
 * - No security described: `Authorization: Bearer`. None needed: nowhere, unless another alternative takes a token.
 *
 * @param given headers that are sent whatever the operation
 * @throws CredentialError where one token is not enough, or is none that could go there
 */
export function placeToken({ id, security }: Operation, token: string, given: Headers): Placed {
  if (security.length === 0) return given.has('authorization') ? NOWHERE : place({ type: 'oauth2', name: '' }, token)
  const open = security.map((schemes) => schemes.filter((scheme) => !isComplete(scheme, given)))
  const [scheme] = open.find((schemes) => schemes.length === 1 && schemes.every(takesToken)) ?? []
  if (scheme) return place(scheme, token)
  if (open.some((schemes) => schemes.length === 0)) return NOWHERE
  const wanted = open.map((schemes) => schemes.map(({ name }) => name).join(' and ')).join(', or ')
  throw new CredentialError(
    `${id} wants ${wanted}, which one token cannot satisfy; give the rest in headers, or no token`,
  )
}

const isComplete = (scheme: SecurityScheme, given: Headers): boolean =>
  scheme.type === 'mutualTLS' ||
  (scheme.type === 'apiKey' ? scheme.in === 'header' && given.has(scheme.parameter) : given.has('authorization'))

/** http schemes of IANA's registry that sign, or answer a challenge. */
const takesToken = (scheme: SecurityScheme): boolean =>
  scheme.type !== 'http' ||
  !/^(concealed|digest|dpop|gnap|hoba|mutual|negotiate|oauth|privatetoken|scram-.*|vapid)$/i.test(scheme.scheme)

function place(scheme: SecurityScheme, token: string): Placed {
  if (scheme.type === 'apiKey') {
    const { parameter, in: where } = scheme
    if (where === 'query') return { ...NOWHERE, query: `${encodeURIComponent(parameter)}=${encodeURIComponent(token)}` }
    return where === 'cookie'
      ? header('cookie', `${parameter}=${encodeURIComponent(token)}`)
      : header(parameter.toLowerCase(), token)
  }
  const name = scheme.type === 'http' ? scheme.scheme : 'bearer'
  if (/^bearer$/i.test(name)) return header('authorization', `Bearer ${token}`)
  if (!/^basic$/i.test(name)) return header('authorization', `${name} ${token}`)
  if (!token.includes(':')) throw new CredentialError(`${scheme.name} is basic authentication: write user:password`)
  return header('authorization', `Basic ${Buffer.from(token).toString('base64')}`)
}

function header(name: string, value: string): Placed {
  if (!isToken(value))
    throw new CredentialError('it holds characters that a header cannot carry: a line break in the middle, perhaps')
  return { ...NOWHERE, headers: { [name]: value } }
}

/**
 * Adds a placed credential to a request.
 *
 * @param headers changed in place
 * @returns the URL with the credential in its query, where it goes there
 */
export function addPlaced({ headers: placed, query }: Placed, url: string, headers: Headers): string {
  for (const [name, value] of Object.entries(placed))
    headers.set(name, name === 'cookie' && headers.has(name) ? `${headers.get(name)}; ${value}` : value)
  return query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`
}
