import type { Context } from 'hono'
import type { StatusFeed } from '../status/status-feed.js'
import type { StreamPlaces } from '../status/stream-places.js'
import type { GatewayEnv } from './env.js'
import { problem } from './problem.js'

/** `GET /v1/status/stream`: server-sent events until one side closes. */
export function streamStatus(c: Context<GatewayEnv>, feed: StatusFeed, places: StreamPlaces): Response {
  const headers = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no', // nginx would hold events back
    connection: 'close', // so that the gateway can end as soon as the stream does
  }
  // HEAD has no body: a stream that nobody reads would never be left.
  if (c.req.method === 'HEAD') return c.body(null, 200, headers)
  const place = places.take(c.var.token.name)
  if (typeof place === 'function') return c.body(feed.follow(place), 200, headers)
  const whose = place.full === 'token' ? 'This token follows' : 'All tokens together follow'
  // No Retry-After: nobody knows when one of them ends.
  return problem(c, {
    status: 429,
    kind: 'too-many-streams',
    title: 'Too many streams',
    detail: `${whose} ${place.most} streams already, and more are not served at once. Close one first.`,
  })
}
