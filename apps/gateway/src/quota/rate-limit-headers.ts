import { type GcraDecision, type GcraLimit, TOLERANCE_MS } from './gcra.js'

/**
 * The quota in headers, as structured fields (draft-ietf-httpapi-ratelimit-headers).
 * `RateLimit-Policy: "free";q=10;w=2` – ten requests at once, which come back in two seconds.
 * `RateLimit: "free";r=0;t=1` – none left; with r=0, t is the time until the next one is admitted, the same moment as
 * Retry-After; with r above 0, t is the time until the quota is whole again.
 * `Retry-After` is there only when the request was refused.
 */
export function rateLimitHeaders(plan: string, limit: GcraLimit, decision: GcraDecision): Record<string, string> {
  const untilMs = decision.remaining > 0 ? decision.resetMs : decision.retryAfterMs
  const headers: Record<string, string> = {
    'RateLimit-Policy': `"${plan}";q=${limit.burst};w=${wholeSeconds((limit.burst / limit.ratePerSecond) * 1000)}`,
    RateLimit: `"${plan}";r=${decision.remaining};t=${wholeSeconds(untilMs)}`,
  }
  if (!decision.allowed) headers['Retry-After'] = String(wholeSeconds(decision.retryAfterMs))
  return headers
}

/** Rounded up, never 0: who comes back exactly then must not be early. */
function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil((ms - TOLERANCE_MS) / 1000))
}
