import { isBranded, mark } from '@sluice/core/adapter'
import { RetryError, type RetryErrorFields } from '@sluice/fetch'

/** A problem document (RFC 9457), as it came. */
export type ProblemDocument = Readonly<Record<string, unknown>>

/**
 * A call ended without success (S5). Its fields: `status` (the last one received; null where no answer came),
 * `retryAfterMs`, `attempts`, `waitedMs`, `reason`, `problem`. `cause`: what the transport failed with, where no answer
 * came; a ThrottledError where a throttle ended it. The headers of the answer are there too, and are not printed.
 */
export class ApiError extends RetryError {
  /** The problem document that came, or null. */
  readonly problem: ProblemDocument | null

  constructor(message: string, fields: RetryErrorFields, problem: ProblemDocument | null, cause?: unknown) {
    super('ApiError', message, fields, cause)
    this.problem = problem
    const { attempts, waitedMs, reason, retryAfterMs } = fields
    mark(this, { attempts, waitedMs, reason, retryAfterMs }) // R14: outcomeOf() knows it, and no outer layer starts over
  }
}

/** Whether this is an ApiError, of this copy of the package or another. */
export const isApiError = (error: unknown): error is ApiError => isBranded(error, 'ApiError')
