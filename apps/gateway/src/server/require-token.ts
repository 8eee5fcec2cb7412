import type { MiddlewareHandler } from 'hono'
import { bearerToken } from '../auth/bearer.js'
import type { TokenStore } from '../auth/token-store.js'
import type { GatewayEnv } from './env.js'
import { problem } from './problem.js'

/** Lets only known tokens pass (RFC 6750): 401 otherwise, with a challenge that says whether one was seen at all. */
export function requireToken(tokens: TokenStore): MiddlewareHandler<GatewayEnv> {
  return async (c, next) => {
    const presented = bearerToken(c.req.header('authorization'))
    const identity = presented === undefined ? undefined : tokens.find(presented)
    if (identity !== undefined) {
      c.set('token', identity)
      return next()
    }
    const error = presented === undefined ? '' : ', error="invalid_token"'
    return problem(c, {
      status: 401,
      kind: 'unauthorized',
      title: 'Unauthorized',
      detail:
        presented === undefined
          ? 'This needs a token: send "Authorization: Bearer <token>".'
          : 'This token is not known here. Ask whoever runs the gateway for one.',
      headers: { 'WWW-Authenticate': `Bearer realm="sluice"${error}` },
    })
  }
}
