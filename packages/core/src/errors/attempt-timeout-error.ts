import { BrandedError, findBranded } from './brand.js'

/** An attempt had no answer within `attemptTimeoutMs`, or its body fell silent for `bodyIdleMs` (R10). */
export class AttemptTimeoutError extends BrandedError {
  /** The bound that passed, in ms. */
  readonly timeoutMs: number

  constructor(timeoutMs: number, what: 'response' | 'body') {
    const happened = what === 'response' ? 'no response' : 'the response body fell silent'
    super('AttemptTimeoutError', `${happened} within ${timeoutMs} ms`)
    this.timeoutMs = timeoutMs
  }
}

/** Whether an `AttemptTimeoutError` is in the chain of causes, of this copy of the package or another. */
export const isAttemptTimeout = (error: unknown): boolean => findBranded(error, 'AttemptTimeoutError') !== undefined
