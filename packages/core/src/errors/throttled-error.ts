import { findBranded } from './brand.js'
import { afterAttempts, RetryError, type RetryErrorFields } from './retry-error.js'

/** The server refused before acting, to the end. `cause` is what the last attempt threw. */
export class ThrottledError extends RetryError {
  constructor(fields: RetryErrorFields, cause?: unknown) {
    const wait = fields.retryAfterMs === null ? 'retry shortly' : `server asked to retry in ${fields.retryAfterMs} ms`
    super('ThrottledError', `rate limited ${afterAttempts(fields.attempts)} (${fields.reason}); ${wait}`, fields, cause)
  }
}

/** Whether a `ThrottledError` is in the chain of causes, of this copy of the package or another. */
export const isThrottled = (error: unknown): boolean => findBranded(error, 'ThrottledError') !== undefined
