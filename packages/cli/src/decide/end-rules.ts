import { type Decision, isFailFast, type Reason } from '@sluice/core'
import { duration } from '@sluice/core/words'
import type { Because } from './because.js'
import type { Question } from './verdict.js'

type Refusal = Extract<Decision, { retry: false }>

/** R5, R6 and the bounds: why it is not sent again, for reasons beyond its class. */
export function endRules(question: Question, { reason, retryAfterMs }: Refusal): Because[] {
  const rules: Because[] = []
  const bound = BOUNDS[reason]?.(question)
  if (bound) rules.push(bound)
  if (isFailFast(reason) && retryAfterMs !== null)
    rules.push({ rule: 'R6', text: 'A stated wait is never shortened to fit a bound: the failure is told at once.' })
  if (retryAfterMs !== null)
    rules.push({ rule: 'H5', text: `The caller is told the wait that was stated: ${duration(retryAfterMs)}.` })
  return rules
}

const BOUNDS: Partial<Record<Reason, (question: Question) => Because>> = {
  body_not_replayable: () => ({ rule: 'R13', text: 'A body that can be read once is sent once.' }),
  attempts_exhausted: ({ policy, attempt }) =>
    policy.throttleBudgetMs === null
      ? {
          rule: 'R5',
          text: `max_attempts is ${policy.maxAttempts}, and ${attempt === 1 ? '1 was' : `${attempt} were`} made.`,
        }
      : { rule: 'R15', text: `transient_retries is ${policy.transientRetries}, and they are used up.` },
  wait_over_cap: ({ policy }) => ({
    rule: 'R6',
    text: `The wait is longer than per_attempt_cap_ms allows: ${duration(policy.perAttemptCapMs)}.`,
  }),
  total_over_cap: ({ policy, waitedMs }) => ({
    rule: 'R9',
    text: `With the ${duration(waitedMs)} waited before, the wait is longer than total_cap_ms allows: ${duration(policy.totalCapMs)}.`,
  }),
  throttle_budget: ({ policy, throttleWaitedMs }) => ({
    rule: 'R15',
    text: `With the ${duration(throttleWaitedMs)} waited before, the wait is longer than throttle_budget_ms allows: ${duration(policy.throttleBudgetMs ?? 0)}.`,
  }),
  retry_budget: () => ({ rule: 'R16', text: 'The shared retry budget holds no token for this retry.' }),
  deadline: ({ policy, elapsedMs }) => ({
    rule: 'R10',
    text: `The wait would end after the deadline: ${duration(policy.deadlineMs ?? 0)} after the call began, ${duration(elapsedMs)} ago.`,
  }),
}
