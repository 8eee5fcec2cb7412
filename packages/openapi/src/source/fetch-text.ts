import { DocumentError } from '../errors/document-error.js'
import { publicName } from './public-name.js'

/** What tells a later answer from this one. */
export interface Validators {
  readonly etag: string | null
  readonly lastModified: string | null
}

/** What a URL answered: a text, or that what is known still holds. */
export type FetchedText =
  | { readonly kind: 'text'; readonly text: string; readonly validators: Validators }
  | { readonly kind: 'same' }
  | { readonly kind: 'unreachable'; readonly error: DocumentError }

interface FetchIo {
  readonly fetch: typeof globalThis.fetch
  readonly headers: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

const MOST_REDIRECTS = 5
const ACCEPT = 'application/json, application/yaml, text/yaml;q=0.9, */*;q=0.5'

/**
 * Gets a document, following redirects. The caller's headers stay with the origin that they were meant for.
 *
 * @param known of what is held already: asks only for what is newer
 * @throws DocumentError for an answer that is no document: its status, or a redirect that leads nowhere
 */
export async function fetchText(
  url: string,
  { fetch, headers, signal }: FetchIo,
  known: Validators | null,
): Promise<FetchedText> {
  const source = publicName(url)
  let at = new URL(url)
  if (at.username !== '' || at.password !== '')
    throw new DocumentError('a URL must hold no user name and no password; send them in a header', { source })
  let given = new Headers(headers)
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const sent = new Headers(given)
    if (!sent.has('accept')) sent.set('accept', ACCEPT)
    if (known?.etag) sent.set('if-none-match', known.etag)
    if (known?.lastModified) sent.set('if-modified-since', known.lastModified)
    let response: Response
    try {
      response = await fetch(at.href, { headers: sent, redirect: 'manual', ...(signal && { signal }) })
      const location = response.headers.get('location')
      if (response.status >= 300 && response.status < 400 && response.status !== 304 && location !== null) {
        await response.body?.cancel()
        const next = new URL(location, at)
        if (next.origin !== at.origin) given = new Headers()
        at = next
        continue
      }
      if (response.status === 304 && known !== null) return { kind: 'same' }
      if (response.ok) {
        const validators = { etag: response.headers.get('etag'), lastModified: response.headers.get('last-modified') }
        return { kind: 'text', text: await response.text(), validators }
      }
      await response.body?.cancel()
    } catch (cause) {
      if (signal?.aborted) throw signal.reason
      return {
        kind: 'unreachable',
        error: new DocumentError(`cannot be reached: ${reasonOf(cause)}`, { source }, cause),
      }
    }
    const error = new DocumentError(`answered ${response.status}${remedyOf(response.status)}`, { source })
    if (response.status >= 500 || response.status === 429) return { kind: 'unreachable', error }
    throw error
  }
  throw new DocumentError(`redirected more than ${MOST_REDIRECTS} times`, { source })
}

/** `fetch failed` says nothing; its cause does. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { readonly message?: unknown; readonly cause?: unknown }
  const { code, message: inner } = (cause ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  return String(code ?? (inner || message) ?? error)
}

const remedyOf = (status: number): string =>
  status === 401 || status === 403 ? '; it wants to know who asks' : status === 404 ? '; is the address right?' : ''
