import type { MiddlewareHandler } from 'hono'
import type { Logger } from '../logger.js'
import type { GatewayEnv } from './env.js'

/** What logs call a request whose client left before the answer; it is never sent. */
const CLIENT_GONE = 499
const REQUEST = 'request'

/** One line a request: method, path without its query string, status, milliseconds and the token's name. */
export function accessLog(logger: Logger, nowMs: () => number): MiddlewareHandler<GatewayEnv> {
  return async (c, next) => {
    const startedMs = nowMs()
    await next()
    logger.info(REQUEST, {
      method: c.req.method,
      path: c.req.path,
      status: c.req.raw.signal.aborted ? CLIENT_GONE : c.res.status,
      ms: Math.round((nowMs() - startedMs) * 10) / 10,
      token: (c.var.token as { name: string } | undefined)?.name, // set only behind the bearer check
    })
  }
}

/** A logger that is told everything but requests. */
export function withoutAccessLog(logger: Logger): Logger {
  return {
    info: (message, fields) => message !== REQUEST && logger.info(message, fields),
    warn: (message, fields) => logger.warn(message, fields),
    error: (message, fields) => logger.error(message, fields),
  }
}
