import { type RetryPolicy, retryPolicy } from '../policy.js'

/** Somebody waits for the answer: four attempts, half a minute of waits, a minute for each answer. */
export const interactive: RetryPolicy = /* @__PURE__ */ retryPolicy({ attemptTimeoutMs: 60_000, statedJitterMs: 250 })
