import type { Context } from 'hono'
import type { StatusFeed } from '../status/status-feed.js'
import type { GatewayEnv } from './env.js'

/** `GET /v1/status/stream`: server-sent events until one side closes. */
export function streamStatus(c: Context<GatewayEnv>, feed: StatusFeed): Response {
  const headers = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no', // nginx would hold events back
    connection: 'close', // so that the gateway can end as soon as the stream does
  }
  // HEAD has no body: a stream that nobody reads would never be left.
  return c.req.method === 'HEAD' ? c.body(null, 200, headers) : c.body(feed.follow(), 200, headers)
}
