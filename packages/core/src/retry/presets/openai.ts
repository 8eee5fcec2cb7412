import type { Classify } from '../failure.js'
import { type RetryPolicy, retryPolicy } from '../policy.js'
import { interactive } from './interactive.js'
import { jsonObject } from './json-object.js'

/** Answers 429 as well, and no wait will help: somebody has to pay, or to raise a limit. */
const QUOTA =
  /^(insufficient_quota|credit_balance_exhausted|(organization|project)_spend_limit_exceeded|organization_usage_limit_exceeded)$/

const classify: Classify = async ({ status }, peek) => {
  if (status !== 429) return
  const { code, type } = Object(jsonObject(await peek()).error)
  if ((typeof code === 'string' && QUOTA.test(code)) || type === 'insufficient_quota') return { class: 'final' }
}

/**
 * OpenAI's API: an exhausted quota is a 429 that is not retried, and a 500 may pass. Its calls are POSTs without keys:
 * mark those `idempotent` that may be repeated (a repeated completion costs tokens and harms nothing).
 *
 * https://platform.openai.com/docs/guides/error-codes
 */
export const openai: RetryPolicy = /* @__PURE__ */ retryPolicy(
  // A long answer that is not streamed sends its headers late: the SDK itself waits ten minutes.
  { transientStatuses: [500, 502, 503, 504], attemptTimeoutMs: 600_000, classify },
  interactive,
)
