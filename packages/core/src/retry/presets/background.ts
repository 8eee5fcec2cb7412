import { type RetryPolicy, retryPolicy } from '../policy.js'
import { interactive } from './interactive.js'

/** Nobody waits: throttles use up no attempts, but 30 s of waits, and then a durable queue should take over (R15). */
export const background: RetryPolicy = /* @__PURE__ */ retryPolicy({ throttleBudgetMs: 30_000 }, interactive)
