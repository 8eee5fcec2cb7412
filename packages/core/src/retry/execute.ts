import type { Attempt } from './attempt.js'
import { Execution } from './execution.js'
import type { ExecuteOptions } from './options.js'

/**
 * Runs `operation` until it succeeds or the policy says to stop: asks {@link decide}, waits, and sends again.
 *
 * @param operation makes one attempt; called again for each retry
 * @param options see {@link ExecuteOptions}
 * @returns what the operation returned: a success, or (with `inspect`) the last failure
 * @throws ThrottledError or TransientError where it threw such a failure to the end, with that as `cause`;
 *   AttemptTimeoutError; DeadlineError; the caller's `signal.reason`; anything else that the operation threw, unchanged;
 *   TypeError for a policy that was not made by `retryPolicy()`
 */
export const execute = <T>(
  operation: (attempt: Attempt) => PromiseLike<T> | T,
  options: ExecuteOptions<T> = {},
): Promise<T> => new Execution(operation, options).run()
