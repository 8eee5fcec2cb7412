import { rateLimitHeaders } from '@sluice/ingest'
import type { MiddlewareHandler } from 'hono'
import { counted } from '../counted.js'
import type { TokenQuotas } from '../quota/token-quotas.js'
import type { GatewayEnv } from './env.js'
import { problem } from './problem.js'

/** Spends one request of the token's quota. Every answer says what is left; a refused one when to come back. */
export function enforceQuota(quotas: TokenQuotas): MiddlewareHandler<GatewayEnv> {
  return async (c, next) => {
    const { plan, planName } = c.var.token
    const decision = quotas.take(c.var.token)
    const headers = rateLimitHeaders(planName, decision)
    for (const [header, value] of Object.entries(headers)) c.header(header, value)
    if (decision.isAdmitted) return next()
    return problem(c, {
      status: 429,
      kind: 'quota-exceeded',
      title: 'Quota exceeded',
      detail:
        `Plan "${planName}" allows ${counted(plan.ratePerSecond, 'request')} a second and ${plan.burst} at once. ` +
        `Come back in ${headers['Retry-After']} s.`,
    })
  }
}
