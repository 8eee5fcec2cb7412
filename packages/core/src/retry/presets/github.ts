import type { Classify } from '../failure.js'
import { type RetryPolicy, retryPolicy } from '../policy.js'
import { interactive } from './interactive.js'

const classify: Classify = async ({ status, headers }, peek) => {
  if (status !== 429 && status !== 403) return
  const told = status === 429 || headers.get('x-ratelimit-remaining') === '0' || headers.get('retry-after') !== null
  if (told || /secondary rate limit/i.test(await peek())) return { class: 'throttle', waitMs: 60_000 }
}

/**
 * GitHub's REST API: limits answer 403 as well as 429, and where no header states a wait, at least a minute is asked
 * for. That minute is over the cap on a single wait: raise `perAttemptCapMs` and `totalCapMs` to wait it out.
 *
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 */
export const github: RetryPolicy = /* @__PURE__ */ retryPolicy({ classify }, interactive)
