/** Why a call was not sent again (R6). */
export type Reason =
  | 'not_retryable'
  | 'body_not_replayable'
  | 'attempts_exhausted'
  | 'wait_over_cap'
  | 'total_over_cap'
  | 'throttle_budget'
  | 'deadline'
  | 'retry_budget'
  | 'held'
  | 'queue_full'
  | 'queue_timeout'
  | 'aborted'

/** Whether a reason means fail fast: retryable in kind, refused by a bound (R6). */
export const isFailFast = (reason: Reason): boolean =>
  /^(wait_over_cap|total_over_cap|throttle_budget|deadline|retry_budget|held)$/.test(reason)
