import { type RetryPolicy, retryPolicy } from '../policy.js'
import { interactive } from './interactive.js'

/**
 * Stripe's API: a 409 is a conflict with another request, which passes. Send an `Idempotency-Key` with every POST,
 * or nothing but throttles is retried on them.
 *
 * https://docs.stripe.com/api/errors and https://docs.stripe.com/error-low-level
 */
export const stripe: RetryPolicy = /* @__PURE__ */ retryPolicy({ transientStatuses: [409, 502, 503, 504] }, interactive)
