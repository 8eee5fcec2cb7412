import { type RetryPolicy, retryPolicy } from '../policy.js'
import { interactive } from './interactive.js'

/** One attempt: for a call whose caller owns the retries. */
export const disabled: RetryPolicy = /* @__PURE__ */ retryPolicy({ maxAttempts: 1 }, interactive)
