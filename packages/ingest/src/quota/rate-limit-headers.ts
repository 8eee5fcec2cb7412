import { retryAfterSeconds } from '../retry-after.js'
import type { QuotaDecision } from './quota.js'

/**
 * A quota in headers (draft-ietf-httpapi-ratelimit-headers), as H4 reads them. `RateLimit-Policy: "free";q=10;w=2`: ten
 * at once, which come back in two seconds. `RateLimit: "free";r=3;t=2`: three are left, and all are back in two seconds;
 * with `r=0`, t is the time until the next is admitted. `Retry-After` is there where it was refused and would ever be
 * admitted.
 *
 * @param plan the quota's name: letters, digits, `.`, `_` and `-`
 */
export function rateLimitHeaders(plan: string, decision: QuotaDecision): Record<string, string> {
  const { isAdmitted, burst, windowMs, remaining, resetMs, retryAfterMs } = decision
  const untilMs = remaining > 0 ? resetMs : (retryAfterMs ?? resetMs)
  return {
    'RateLimit-Policy': `"${plan}";q=${burst};w=${retryAfterSeconds(windowMs)}`,
    RateLimit: `"${plan}";r=${remaining};t=${retryAfterSeconds(untilMs)}`,
    ...(isAdmitted || retryAfterMs === null ? {} : { 'Retry-After': String(retryAfterSeconds(retryAfterMs)) }),
  }
}
