import type { MiddlewareHandler } from 'hono'
import type { Metrics } from '../metrics/metrics.js'
import type { GatewayEnv } from './env.js'
import { operationOf } from './operations.js'

/** Counts each answer by its operation, however it came about. What is no operation is counted together. */
export function countRequests(metrics: Metrics, nowMs: () => number): MiddlewareHandler<GatewayEnv> {
  return async (c, next) => {
    const startedMs = nowMs()
    await next()
    metrics.requested(operationOf(c.req.method, c.req.path) ?? 'none', c.res.status, nowMs() - startedMs)
  }
}
