/** R6: the reasons that mean "retryable in kind, refused by a bound". */
const FAIL_FAST = new Set(['wait_over_cap', 'total_over_cap', 'throttle_budget', 'deadline', 'retry_budget', 'held'])

export function isFailFast(reason: string | null): boolean {
  return reason !== null && FAIL_FAST.has(reason)
}
