import type { MiddlewareHandler } from 'hono'
import type { GatewayEnv } from './env.js'
import { problem } from './problem.js'

const MAX_BODY_BYTES = 64 * 1024

/** Nothing here takes a body yet. A small one is tolerated, a large or endless one is refused unread. */
export const limitBody: MiddlewareHandler<GatewayEnv> = async (c, next) => {
  if (c.req.header('transfer-encoding') !== undefined) {
    return problem(c, {
      status: 411,
      kind: 'length-required',
      title: 'Length required',
      detail: 'Bodies of unknown length are not taken. Send none, or one with Content-Length.',
      headers: { Connection: 'close' },
    })
  }
  if (Number(c.req.header('content-length') ?? 0) > MAX_BODY_BYTES) {
    return problem(c, {
      status: 413,
      kind: 'body-too-large',
      title: 'Body too large',
      detail: `A body may have at most ${MAX_BODY_BYTES} bytes.`,
      headers: { Connection: 'close' },
    })
  }
  return next()
}
