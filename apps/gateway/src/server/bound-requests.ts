import type { MiddlewareHandler } from 'hono'
import type { Shares } from '../shares.js'
import type { GatewayEnv } from './env.js'
import { tenantBusy } from './refusal.js'

/** Counts the requests of each tenant that are not answered to their end: each has a connection, of which there are so many. */
export function boundRequests(shares: Shares): MiddlewareHandler<GatewayEnv> {
  return async (c, next) => {
    const { tenant } = c.var.token
    const { incoming, outgoing } = c.env
    if (shares.take(tenant) !== undefined) throw tenantBusy(`has ${shares.limits.perOwner} requests under way`)
    if (outgoing.closed || incoming.socket.destroyed) shares.give(tenant)
    else outgoing.once('close', () => shares.give(tenant))
    await next()
  }
}
