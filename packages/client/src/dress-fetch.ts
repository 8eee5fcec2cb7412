import { checkToken } from './check-inputs.js'
import type { Bearer, Settings } from './settings.js'
import { TokenError } from './token-error.js'

/** Stands in a request for the token, which is put in only on its way out: `result.request` can be printed. */
export const PLACEHOLDER = 'redacted'

const AUTHORIZATION = `Bearer ${PLACEHOLDER}`

/**
 * The fetch underneath, dressed with the builder's headers. What the request has already wins. Another origin than the
 * builder's gets none of them.
 */
export function dressFetch({ url, bearer, headers, options }: Settings): typeof fetch {
  const { origin } = new URL(url)
  return async (input, init) => {
    const send = options.fetch ?? globalThis.fetch
    const request = input as Request // the generated client sends nothing else
    const dressed = new Headers(init?.headers ?? request.headers)
    if (new URL(request.url).origin === origin) {
      for (const [name, value] of headers) if (!dressed.has(name)) dressed.set(name, value)
      if (bearer !== undefined && dressed.get('authorization') === AUTHORIZATION)
        dressed.set('authorization', `Bearer ${await tokenOf(bearer)}`)
    } else if (dressed.get('authorization') === AUTHORIZATION) dressed.delete('authorization')
    return send(request, { ...init, headers: dressed })
  }
}

async function tokenOf(bearer: Bearer): Promise<string> {
  if (typeof bearer === 'string') return bearer
  try {
    const token = await bearer()
    checkToken(token)
    return token
  } catch (error) {
    // Not as it is: a bare TypeError from fetch would be taken for a failed connection.
    throw new TokenError(error)
  }
}
