import type { Operation, SecurityScheme } from '@sluice/openapi'
import { readText } from '../arguments/read-text.js'
import { UsageError } from '../usage-error.js'
import type { World } from '../world.js'
import type { CallOptions } from './own-options.js'

/** Where a token came from, for messages; its value is in none. */
export interface Token {
  readonly value: string
  readonly from: '--token' | '--token-file' | 'SLUICE_TOKEN'
}

/**
 * The token of a flag, a file or the environment, in this order; null where there is none.
 * @throws UsageError that never shows it
 */
export async function readToken(world: World, options: CallOptions): Promise<Token | null> {
  if (options.token === false) return null
  if (options.token !== undefined && options.tokenFile !== undefined)
    throw new UsageError('give one of --token and --token-file')
  const found: Token | null =
    options.tokenFile !== undefined
      ? { from: '--token-file', value: (await readText('--token-file', options.tokenFile)).trim() }
      : options.token !== undefined
        ? { from: '--token', value: options.token.trim() }
        : world.env.SLUICE_TOKEN
          ? { from: 'SLUICE_TOKEN', value: world.env.SLUICE_TOKEN.trim() }
          : null
  if (found?.value === '') throw new UsageError(`${found.from} holds no token: it is empty`)
  return found
}

/** Where a token goes in a request. */
export interface Placed {
  readonly headers: Readonly<Record<string, string>>
  /** `name=value`, encoded; '' for none. */
  readonly query: string
}

const NOWHERE: Placed = { headers: {}, query: '' }

/**
 * Puts a token where the operation wants it: by the first alternative of its security that one token satisfies, beside
 * the headers that are given anyhow. Where the document says nothing of security it goes as a bearer token.
 *
 * @throws UsageError where no alternative can be satisfied, or the token is none that could be
 */
export function placeToken({ id, security }: Operation, token: Token, given: Headers): Placed {
  if (security.length === 0)
    return given.has('authorization') ? NOWHERE : place({ type: 'http', name: '', scheme: 'bearer' }, token)
  const open = security.map((alternative) => alternative.filter((scheme) => !isGiven(scheme, given)))
  const [scheme] = open.find((schemes) => schemes.length === 1 && schemes.every(isPlaceable)) ?? []
  if (scheme) return place(scheme, token)
  if (open.some((schemes) => schemes.length === 0)) return NOWHERE // none is needed, or -H has it all
  const wanted = open.map((schemes) => schemes.map(({ name }) => name).join(' and ')).join(', or ')
  throw new UsageError(`${id} wants ${wanted}, which one token cannot satisfy; give the rest with -H, or --no-token`)
}

const isPlaceable = (scheme: SecurityScheme): boolean =>
  scheme.type === 'http' ? /^(bearer|basic)$/i.test(scheme.scheme) : scheme.type !== 'mutualTLS'

const isGiven = (scheme: SecurityScheme, given: Headers): boolean =>
  scheme.type === 'apiKey' ? scheme.in === 'header' && given.has(scheme.parameter) : given.has('authorization')

function place(scheme: SecurityScheme, token: Token): Placed {
  const { value, from } = token
  if (scheme.type === 'http' && /^basic$/i.test(scheme.scheme)) {
    if (!value.includes(':'))
      throw new UsageError(`${from}: ${scheme.name} is basic authentication: write user:password`)
    return { ...NOWHERE, headers: { authorization: `Basic ${Buffer.from(value).toString('base64')}` } }
  }
  if (scheme.type === 'apiKey' && scheme.in === 'query')
    return { ...NOWHERE, query: `${encodeURIComponent(scheme.parameter)}=${encodeURIComponent(value)}` }
  if (!/^[\x20-\x7e]+$/.test(value))
    throw new UsageError(`${from} holds characters that a header cannot carry: a line break in the middle, perhaps`)
  if (scheme.type === 'apiKey')
    return {
      ...NOWHERE,
      headers:
        scheme.in === 'cookie'
          ? { cookie: `${scheme.parameter}=${encodeURIComponent(value)}` }
          : { [scheme.parameter.toLowerCase()]: value },
    }
  return { ...NOWHERE, headers: { authorization: `Bearer ${value}` } }
}

/** Headers that show who somebody is: those everybody knows, and those that the operation calls so. */
export const secretHeaders = ({ security }: Operation): ReadonlySet<string> =>
  new Set([
    ...['authorization', 'proxy-authorization', 'cookie'],
    ...security
      .flat()
      .flatMap((scheme) =>
        scheme.type === 'apiKey' && scheme.in === 'header' ? [scheme.parameter.toLowerCase()] : [],
      ),
  ])

/** @returns what takes a token out of a text, in each form in which it may have been sent */
export function hiding(token: Token | null): (text: string) => string {
  if (token === null) return (text) => text
  const forms = [token.value, encodeURIComponent(token.value), Buffer.from(token.value).toString('base64')]
  // What is shorter is no secret, and stands in many a word.
  if (token.value.length < 4) return (text) => text
  return (text) => forms.reduce((hidden, form) => hidden.replaceAll(form, '[token]'), text)
}
