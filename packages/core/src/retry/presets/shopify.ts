import { type RetryPolicy, retryPolicy } from '../policy.js'
import { interactive } from './interactive.js'

/**
 * Shopify's Admin API over REST: a 429 that states no wait asks for a second. (GraphQL answers its throttles with 200,
 * which no retry policy looks into.)
 *
 * https://shopify.dev/docs/api/admin-rest/usage/rate-limits
 */
export const shopify: RetryPolicy = /* @__PURE__ */ retryPolicy(
  { classify: ({ status }) => (status === 429 ? { class: 'throttle', waitMs: 1000 } : undefined) },
  interactive,
)
