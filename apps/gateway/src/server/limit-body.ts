import type { IncomingMessage } from 'node:http'
import type { Context, MiddlewareHandler } from 'hono'
import type { GatewayEnv } from './env.js'
import { linger } from './linger.js'
import { problem } from './problem.js'

const MAX_BODY_BYTES = 64 * 1024
const MAX_EVENTS_BYTES = 10 * 1024 * 1024
const EVENTS = /^\/v1\/datasources\/[^/]+\/events$/

/** Bytes that a body at a path may have. */
export function mostBytesAt(path: string): number {
  return EVENTS.test(path) ? MAX_EVENTS_BYTES : MAX_BODY_BYTES
}

/** A small body is tolerated where none is taken; one that is too large, or endless, is refused unread. */
export const limitBody: MiddlewareHandler<GatewayEnv> = async (c, next) => {
  if (c.req.header('transfer-encoding') !== undefined) {
    closeAfter(c)
    return problem(c, {
      status: 411,
      kind: 'length-required',
      title: 'Length required',
      detail: 'Bodies of unknown length are not taken. Send none, or one with Content-Length.',
    })
  }
  const most = mostBytesAt(c.req.path)
  const bytes = Number(c.req.header('content-length') ?? 0)
  if (bytes > most) {
    closeAfter(c)
    return problem(c, {
      status: 413,
      kind: 'body-too-large',
      title: 'Body too large',
      detail: `A body may have at most ${most} bytes here; this one has ${bytes}.${EVENTS.test(c.req.path) ? ' Send its rows in several requests.' : ''}`,
    })
  }
  return next()
}

/** Not by a header `Connection: close`, upon which Node would close at once. */
function closeAfter(c: Context<GatewayEnv>): void {
  const { incoming, outgoing } = c.env
  outgoing.once('finish', () => linger((incoming as IncomingMessage).socket))
}
