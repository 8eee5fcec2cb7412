import { duration } from '@sluice/core/words'
import type { Because } from './because.js'
import { ask, type Question, type Verdict } from './verdict.js'

/** R7, R8, R15 and R16: how long the wait is, and what it costs. */
export function waitRules(question: Question, verdict: Verdict): Because[] {
  const rules = lengthRules(question, verdict)
  // R16: only where there is a budget, and an empty one would have refused.
  const { retryTokens } = question
  if (Number.isFinite(retryTokens) && !ask({ ...question, retryTokens: 0 }).lowest.retry)
    rules.push({ rule: 'R16', text: `The retry takes one of the ${retryTokens} tokens of the shared retry budget.` })
  return rules
}

function lengthRules({ policy, attempt }: Question, { lowest }: Verdict): Because[] {
  const stated = lowest.retryAfterMs
  if (policy.throttleBudgetMs !== null && lowest.class === 'throttle')
    return [
      {
        rule: 'R15',
        text: `With a throttle budget of ${duration(policy.throttleBudgetMs)} a throttle uses up no attempt, and waits what was stated, at least ${duration(policy.throttleDefaultWaitMs)}.`,
      },
    ]
  if (stated !== null) {
    const jitter = policy.statedJitterMs > 0 ? `, and up to ${duration(policy.statedJitterMs)} of jitter` : ''
    return [{ rule: 'R8', text: `The wait is what the server stated${jitter}.` }]
  }
  if (policy.throttleBudgetMs !== null)
    return [
      {
        rule: 'R15',
        text: 'Under a throttle budget transient failures have a short wait of their own, doubling each time.',
      },
    ]
  return [
    {
      rule: 'R7',
      text: `No wait is stated: one is drawn from a range that starts at ${duration(policy.baseMs)} and doubles with each attempt (${attempt} made), up to ${duration(policy.perAttemptCapMs)}.`,
    },
  ]
}
