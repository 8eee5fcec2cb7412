// One package to install: what goes into .retry() and .with(), and what is asked of an error.
export {
  awsJson,
  background,
  disabled,
  github,
  interactive,
  isAttemptTimeout,
  isDeadline,
  isFailFast,
  isThrottled,
  openai,
  outcomeOf,
  RetryBudget,
  type RetryPolicy,
  type RetryPolicyOptions,
  retryAfterMs,
  retryPolicy,
  shopify,
  stripe,
} from '@sluice/fetch'
export { ApiError, isApiError, type ProblemDocument } from './api-error.js'
export { ClientBuilder } from './client-builder.js'
export type { GatewayClient } from './gateway-client.js'
export type * from './gen/types.gen.js'
export type { Lines, Operations } from './operations.js'
export type { Bearer, SendOptions, TraceSource } from './settings.js'
export { type Result, unwrap } from './unwrap.js'
