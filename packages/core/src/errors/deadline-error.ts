import { findBranded } from './brand.js'
import { afterAttempts, RetryError, type RetryErrorFields } from './retry-error.js'

/** The call's `deadlineMs` passed while an attempt was in flight (R10). `cause` is the last failure, where there was one. */
export class DeadlineError extends RetryError {
  constructor(deadlineMs: number, fields: RetryErrorFields, cause?: unknown) {
    super('DeadlineError', `deadline of ${deadlineMs} ms passed ${afterAttempts(fields.attempts)}`, fields, cause)
  }
}

/** Whether a `DeadlineError` is in the chain of causes, of this copy of the package or another. */
export const isDeadline = (error: unknown): boolean => findBranded(error, 'DeadlineError') !== undefined
