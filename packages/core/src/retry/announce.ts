import { happened } from '../errors/transient-error.js'
import type { Call } from './call.js'
import type { RetryEvent } from './options.js'

/** Tells the logger and the observer of a retry that is about to be waited for. */
export function announce<T>(event: RetryEvent, { policy, options: { logger, onRetry } }: Call<T>): void {
  const throttle = event.class === 'throttle'
  const what = throttle ? 'rate limited' : happened(event.failure)
  const line = `${what}; retrying in ${event.waitMs} ms (attempt ${event.attempt})`
  // R15: a throttle-budget wait stalls the caller for whole seconds.
  if (throttle && policy.throttleBudgetMs !== null) logger?.warn(line)
  else logger?.debug?.(line)
  onRetry?.(event)
}
