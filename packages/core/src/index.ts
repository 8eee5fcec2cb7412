// The policy

// Time
export type { Clock } from './clock/clock.js'
export { systemClock } from './clock/system-clock.js'
// How a call ends
export { AttemptTimeoutError, isAttemptTimeout } from './errors/attempt-timeout-error.js'
export { DeadlineError, isDeadline } from './errors/deadline-error.js'
export { retryAfterMs } from './errors/retry-after-ms.js'
export { RetryError, type RetryErrorFields } from './errors/retry-error.js'
export { isThrottled, ThrottledError } from './errors/throttled-error.js'
export { isTransient, TransientError } from './errors/transient-error.js'
// The call
export type { Attempt } from './retry/attempt.js'
// The decision
export { type Decision, type DecisionInput, decide, isSafeToRepeat } from './retry/decide.js'
export { execute } from './retry/execute.js'
export type { Classification, Classify, Failure, FailureClass, HeaderReader } from './retry/failure.js'
// What a server or the network says
export { failureOf } from './retry/failure-of.js'
export type { Hint } from './retry/hint.js'
export type { ExecuteOptions, GiveUpEvent, Logger, RetryEvent } from './retry/options.js'
export { type Outcome, outcomeOf } from './retry/outcome.js'
export { type RetryPolicy, type RetryPolicyOptions, retryPolicy } from './retry/policy.js'
export { awsJson } from './retry/presets/aws-json.js'
export { background } from './retry/presets/background.js'
export { disabled } from './retry/presets/disabled.js'
export { github } from './retry/presets/github.js'
export { interactive } from './retry/presets/interactive.js'
export { openai } from './retry/presets/openai.js'
export { shopify } from './retry/presets/shopify.js'
export { stripe } from './retry/presets/stripe.js'
export { isFailFast, type Reason } from './retry/reason.js'
export { RetryBudget, type RetryBudgetOptions } from './retry/retry-budget.js'
export { parseRetryAfter, statedWait } from './retry/stated-wait.js'
