import type { Failure } from '../retry/failure.js'
import { findBranded } from './brand.js'
import { afterAttempts, RetryError, type RetryErrorFields } from './retry-error.js'

const WHAT = { connect: 'connection failed', timeout: 'request timed out', final: 'failed' }

/** What an attempt met, in a person's words. */
export const happened = (failure: Failure): string =>
  failure.kind === 'status' ? `HTTP ${failure.status}` : WHAT[failure.kind]

/** A failure that may pass, and did not: a status such as 503, no connection, or no answer in time. */
export class TransientError extends RetryError {
  /** What the last attempt met; `status` on the error is the last one received, on whichever attempt. */
  readonly kind: Failure['kind']

  constructor(failure: Failure, fields: RetryErrorFields, cause?: unknown) {
    super('TransientError', `${happened(failure)} ${afterAttempts(fields.attempts)} (${fields.reason})`, fields, cause)
    this.kind = failure.kind
  }
}

/** Whether a `TransientError` is in the chain of causes, of this copy of the package or another. */
export const isTransient = (error: unknown): boolean => findBranded(error, 'TransientError') !== undefined
