import type { ExecuteOptions, RetryEvent } from './options.js'
import type { RetryPolicy } from './policy.js'

/** Tells the logger and the observer of a retry that is about to be waited for. */
export function announce<T>(event: RetryEvent, policy: RetryPolicy, { logger, onRetry }: ExecuteOptions<T>): void {
  const { failure, waitMs, attempt } = event
  const status = failure.kind === 'status' ? `HTTP ${failure.status}` : failure.kind
  const line = `${event.class === 'throttle' ? 'rate limited' : status}; retrying in ${waitMs} ms (attempt ${attempt})`
  // R15: a throttle-budget wait stalls the caller for whole seconds.
  if (event.class === 'throttle' && policy.throttleBudgetMs !== null) logger?.warn(line)
  else logger?.debug?.(line)
  onRetry?.(event)
}
