import { BrandedError, findBranded } from './brand.js'

/** No slot came free in time (L13): this attempt was not sent. After a failed one that is its `cause`. */
export class QueueTimeoutError extends BrandedError {
  /** The bound that passed, in ms; time under a hold does not count. */
  readonly queueTimeoutMs: number

  /** @param waitedMs how long it had waited by then: longer than the bound where that became shorter meanwhile (L20) */
  constructor(queueTimeoutMs: number, waitedMs: number = queueTimeoutMs, cause?: unknown) {
    super('QueueTimeoutError', `waited ${Math.round(waitedMs)} ms for a slot and got none`, cause)
    this.queueTimeoutMs = queueTimeoutMs
  }
}

/** Whether a `QueueTimeoutError` is in the chain of causes, of this copy of the package or another. */
export const isQueueTimeout = (error: unknown): boolean => findBranded(error, 'QueueTimeoutError') !== undefined
