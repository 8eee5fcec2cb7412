import type { MiddlewareHandler } from 'hono'
import type { GatewayEnv } from './env.js'
import { problem } from './problem.js'

/** A gateway that is closing finishes what it began; what still arrives on open connections is sent elsewhere. */
export function refuseWhenClosing(closing: () => boolean): MiddlewareHandler<GatewayEnv> {
  return async (c, next) => {
    if (!closing()) {
      await next()
      if (closing()) c.res.headers.set('Connection', 'close')
      return
    }
    return problem(c, {
      status: 503,
      kind: 'unavailable',
      title: 'Unavailable',
      detail: 'The gateway is shutting down.',
      headers: { 'Retry-After': '1', Connection: 'close' },
    })
  }
}
