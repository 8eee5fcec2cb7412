/** As browsers and Node have it. */
const MOST = 20

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * A fetch that leaves secrets behind where a redirect leads to another origin. The platform's own does so for
 * `Authorization` and `Cookie`; a key in a header of its own it carries to anybody. Where there is none, this is the
 * platform's fetch.
 *
 * @param secrets names of headers, in lower case
 */
export function leavingBehind(fetch: typeof globalThis.fetch, secrets: ReadonlySet<string>): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers)
    const unknown = [...secrets].filter((name) => !/^((proxy-)?authorization|cookie)$/.test(name))
    if (!unknown.some((name) => headers.has(name))) return fetch(input, init)

    let url = new URL(String(input)) // what we call is told by URL
    let request: RequestInit = { ...init, headers, redirect: 'manual' }
    for (let followed = 0; ; followed++) {
      const response = await fetch(url.href, request)
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null
      if (location === null) return response
      await response.body?.cancel()
      if (followed === MOST) throw failed(`more than ${MOST} redirects`)
      if (!URL.canParse(location, url.href)) throw failed('a redirect to what is no URL')
      const target = new URL(location, url)
      if (!/^https?:$/.test(target.protocol)) throw failed('a redirect to what is no web address')
      request = next(request, response.status)
      if (target.origin !== url.origin) for (const name of secrets) headers.delete(name)
      url = target
    }
  }
}

/** Fetch standard, HTTP-redirect fetch: which redirects change the method, and lose the body with it. */
function next(request: RequestInit, status: number): RequestInit {
  const method = request.method ?? 'GET'
  const becomesGet = status === 303 ? !/^(GET|HEAD)$/i.test(method) : status < 303 && /^POST$/i.test(method)
  if (!becomesGet) {
    if (request.body instanceof ReadableStream) throw failed('a redirect of a body that can be sent only once')
    return request
  }
  const headers = request.headers as Headers // made above
  for (const name of ['content-encoding', 'content-language', 'content-location', 'content-type']) headers.delete(name)
  const { body: _, ...rest } = request
  return { ...rest, method: 'GET' }
}

/** As fetch fails, so that it is told as any failure of it. */
const failed = (why: string): TypeError => new TypeError('fetch failed', { cause: new Error(why) })
