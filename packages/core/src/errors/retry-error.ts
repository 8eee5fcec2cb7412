import type { HeaderReader } from '../retry/failure.js'
import type { Outcome } from '../retry/outcome.js'
import type { Reason } from '../retry/reason.js'
import { BrandedError } from './brand.js'

/** What a call knows of itself when it ends with an error (R14). */
export interface RetryErrorFields extends Outcome {
  /** The last HTTP status received in this call, or null. */
  readonly status: number | null
  /** The headers that came with it, or null. The body is never kept. */
  readonly headers: HeaderReader | null
}

/** Base of the errors that end a call after its last failure. */
export abstract class RetryError extends BrandedError implements RetryErrorFields {
  // Declared only: assigned below, with nothing to define beforehand.
  declare readonly attempts: number
  declare readonly waitedMs: number
  declare readonly reason: Reason | null
  declare readonly retryAfterMs: number | null
  declare readonly status: number | null
  declare readonly headers: HeaderReader | null

  constructor(brand: string, message: string, fields: RetryErrorFields, cause?: unknown) {
    super(brand, message, cause)
    this.attempts = fields.attempts
    this.waitedMs = fields.waitedMs
    this.reason = fields.reason
    this.retryAfterMs = fields.retryAfterMs
    this.status = fields.status
    // Headers may hold cookies: not enumerable, so that printing the error does not show them.
    Object.defineProperty(this, 'headers', { value: fields.headers })
  }
}

/** `after 1 attempt`, `after 4 attempts` */
export const afterAttempts = (attempts: number): string => `after ${attempts} attempt${attempts === 1 ? '' : 's'}`
