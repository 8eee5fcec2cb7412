import { BrandedError, findBranded } from './brand.js'

/** A call was refused at once: as many as allowed were waiting for a slot already (L13). Nothing was sent. */
export class QueueFullError extends BrandedError {
  /** How many may wait. */
  readonly maxQueue: number

  constructor(maxQueue: number, cause?: unknown) {
    const remedy = 'make fewer calls at a time, or raise maxQueue'
    super('QueueFullError', `too many calls are waiting for a slot (${maxQueue}); ${remedy}`, cause)
    this.maxQueue = maxQueue
  }
}

/** Whether a `QueueFullError` is in the chain of causes, of this copy of the package or another. */
export const isQueueFull = (error: unknown): boolean => findBranded(error, 'QueueFullError') !== undefined
