import { systemClock } from '@sluice/core'
import { keepBody, untilRead } from './keep-body.js'
import { isStream, requestLike } from './request-source.js'

/** As many as browsers and Node follow before they suspect a circle. */
const MOST = 20

/** Of a `Request`'s body, in bytes, so that it can be sent again. */
const MOST_KEPT = 2 ** 20

/** What says nothing of who asks. R2: without its key a repeated call would act twice where it was led to. */
const HARMLESS = /^(accept|accept-language|content-(type|encoding|language)|user-agent|idempotency-key)$/

/** Names of the headers that could show who asks, in lower case. They stay with the origin that they were meant for. */
export const privateHeaders = (headers: Headers): string[] => [...headers.keys()].filter((name) => !HARMLESS.test(name))

/**
 * A fetch that follows redirects as the platform's does, but takes no credential to another origin: not only
 * `Authorization` and `Cookie`, which the platform leaves behind, but any header that could hold one. What was left
 * behind stays so, also where a redirect leads back. A request without such a header, or one that says how redirects
 * are to be taken (`redirect`), is the platform's own affair.
 *
 * For servers and command lines: a browser does not tell where a redirect leads, so there it fails where one comes.
 *
 * @returns a fetch that rejects with a `TypeError`, as the platform's, whose `cause` says why: more than 20 redirects, a
 *   target that is no http(s) URL or holds a user name, a stream that would have to be sent twice
 */
export function followingRedirects(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, given) => {
    const request = requestLike(input)
    const init: RequestInit = {}
    // Not a spread: it may be a Request, whose fields are on its prototype.
    for (const field in given) Object.assign(init, { [field]: given[field as keyof RequestInit] })
    let headers = new Headers(init.headers ?? request?.headers)
    const redirect = init.redirect ?? request?.redirect ?? 'follow'
    if (redirect !== 'follow' || privateHeaders(headers).length === 0) return fetch(input, given)

    const { signal = request?.signal ?? null } = init
    let { method = request?.method ?? 'GET', body = null } = init
    const hasOwnBody = request !== undefined && body === null && !isGet(method)
    const kept = hasOwnBody ? keepBody(request, MOST_KEPT) : undefined
    let once = hasOwnBody || isStream(body)
    let url = request?.url ?? String(input)
    let response = await fetch(input, { ...init, redirect: 'manual' })
    for (let followed = 0; ; followed++) {
      if (response.type === 'opaqueredirect')
        throw failed('a redirect, and this platform does not tell where it leads; call its own fetch')
      const location = /^30[12378]$/.test(String(response.status)) ? response.headers.get('location') : null
      if (location === null)
        return followed === 0 ? response : Object.defineProperty(response, 'redirected', { value: true })
      await response.body?.cancel()
      if (followed === MOST) throw failed(`more than ${MOST} redirects`)
      const from = response.url || url
      const target = targetOf(location, from)

      if (response.status === 303 ? !isGet(method) : response.status < 303 && /^post$/i.test(method)) {
        method = 'GET'
        body = null
        once = false
        headers = without(headers, (name) => /^content-(type|length|encoding|language|location)$/.test(name))
      } else if (once) {
        if (kept) await untilRead(kept, systemClock, signal)
        signal?.throwIfAborted()
        if (!kept?.bytes) throw failed('a redirect of a body that can be sent only once')
        body = kept.bytes
      }
      if (target.origin !== new URL(from).origin) headers = without(headers, (name) => !HARMLESS.test(name))
      url = target.href
      response = await fetch(url, { ...init, method, headers, body, signal, redirect: 'manual' })
    }
  }
}

const isGet = (method: string): boolean => /^(get|head)$/i.test(method)

const without = (headers: Headers, drops: (name: string) => boolean): Headers =>
  new Headers([...headers].filter(([name]) => !drops(name)))

function targetOf(location: string, from: string): URL {
  if (!URL.canParse(location, from)) throw failed('a redirect to what is no URL')
  const target = new URL(location, from)
  if (!/^https?:$/.test(target.protocol)) throw failed(`a redirect to ${target.protocol}, which is no web address`)
  if (target.username || target.password) throw failed('a redirect to a URL that holds a user name or password')
  return target
}

/** As the platform's fetch fails, so that it is told as any failure of it; and no reason to try again (R3). */
const failed = (why: string): TypeError => new TypeError('fetch failed', { cause: new Error(why) })
