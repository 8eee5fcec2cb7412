import type { ApiDocument } from '@sluice/openapi'
import { UsageError } from '../usage-error.js'

/** What decides where requests go. */
export interface TargetInput {
  readonly baseUrl: string | undefined
  /** Whether the document is the one that comes with Sluice. */
  readonly isDefault: boolean
  /** Whether something is sent along that nobody else may have: a token, a header that could be one. */
  readonly hasSecret: boolean
}

/** Where the gateway listens. */
const GATEWAY = 'http://127.0.0.1:8787'

/**
 * Where requests go.
 * @throws UsageError where nobody said so, or only the document does and a token would go there
 */
export function targetOf({ servers }: ApiDocument, { baseUrl, isDefault, hasSecret }: TargetInput): string {
  if (baseUrl !== undefined) return checked(baseUrl)
  if (isDefault) return GATEWAY
  const server = servers.find((one) => /^https?:\/\//i.test(one) && !one.includes('{'))
  if (server === undefined)
    throw new UsageError('the document names no server that could be called; say with --base-url where requests go')
  if (hasSecret)
    throw new UsageError(
      `a token or header is set, and only the document says where it would go: ${server}; if that is right, say so with --base-url ${server}`,
    )
  return server
}

function checked(text: string): string {
  const shown = text.replace(/[?#].*/s, '').replace(/\/\/[^/@]*@/, '//')
  if (!URL.canParse(text))
    throw new UsageError(`--base-url: ${shown} is no URL; it must begin with http:// or https://`)
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol))
    throw new UsageError(`--base-url: it must begin with http:// or https://, not ${url.protocol}`)
  if (url.username || url.password)
    throw new UsageError('--base-url: it holds a user name or password; give them in SLUICE_TOKEN, as user:password')
  if (url.search || url.hash) throw new UsageError('--base-url: it must end before ? and #')
  return text
}
