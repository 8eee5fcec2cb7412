import type { Context } from 'hono'
import type { StreamPlaces } from '../status/stream-places.js'
import type { GatewayEnv } from './env.js'
import { Refusal } from './refusal.js'

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no', // nginx would hold events back
  connection: 'close', // so that the gateway can end as soon as the stream does
}

/**
 * Server-sent events until one side closes.
 * @param open called with what gives its place back, unless nobody would read it
 * @throws Refusal 429 where there are too many
 */
export function openStream(
  c: Context<GatewayEnv>,
  places: StreamPlaces,
  open: (onLeave: () => void) => ReadableStream<Uint8Array>,
): Response {
  // HEAD has no body: a stream that nobody reads would never be left.
  if (c.req.method === 'HEAD' || c.env.incoming.socket.destroyed) return c.body(null, 200, HEADERS)
  return c.body(open(takePlace(c, places, 'follows')), 200, HEADERS)
}

/**
 * @param does what its token does with a stream
 * @returns what gives its place back
 * @throws Refusal 429 where there are too many
 */
export function takePlace(c: Context<GatewayEnv>, places: StreamPlaces, does: 'follows' | 'reads'): () => void {
  const place = places.take(c.var.token)
  if (typeof place === 'function') return place
  const whose = {
    token: `This token ${does}`,
    tenant: `The tokens of this tenant together ${does.slice(0, -1)}`,
    gateway: `All tokens together ${does.slice(0, -1)}`,
  }[place.full]
  // No Retry-After: nobody knows when one of them ends.
  throw new Refusal({
    status: 429,
    kind: 'too-many-streams',
    title: 'Too many streams',
    detail: `${whose} ${place.most} streams already, and more are not served at once. Close one first.`,
  })
}
