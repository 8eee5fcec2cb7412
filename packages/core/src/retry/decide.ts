import type { Classification, Failure, FailureClass } from './failure.js'
import type { RetryPolicy } from './policy.js'
import type { Reason } from './reason.js'
import { statedWait } from './stated-wait.js'

/** Everything a decision depends on. All times are ms. */
export interface DecisionInput {
  policy: RetryPolicy
  failure: Failure
  /** What the policy's `classify` answered, where it did. */
  classification?: Classification | undefined
  /** Whether repeating does no harm even if the server acted: see {@link isSafeToRepeat} (R2). */
  safe: boolean
  /** Whether the request carries an `Idempotency-Key` (R2). */
  keyed: boolean
  /** Whether the body can be sent again (R13). */
  replayable: boolean
  /** Attempts made: 1 when the first has just failed. */
  attempt: number
  /** Waited so far: after every failure, or with a throttle budget after transient ones only (R9, R15). */
  waitedMs: number
  /** With a throttle budget: waited so far after throttles. */
  throttleWaitedMs: number
  /** Since the call began. */
  elapsedMs: number
  /** Transient failures so far, this one included where it is one. */
  transientFailures: number
  /** Whether an earlier attempt of this call failed transiently. */
  failedTransiently: boolean
  /** Tokens in the shared retry budget; Infinity where there is none (R16). */
  retryTokens: number
  /** Epoch ms, for stated dates. */
  wallNow: number
  /** Draws from [0, 1). */
  random: () => number
}

/** What to do after a failed attempt. `retryAfterMs` is the wait the server stated, or null. */
export type Decision =
  | { retry: true; class: FailureClass; waitMs: number; retryAfterMs: number | null }
  | { retry: false; class: FailureClass; reason: Reason; retryAfterMs: number | null }

/** Whether sending again does no harm even if the server has acted (R2). */
export const isSafeToRepeat = (method: string | undefined, keyed: boolean, idempotent: boolean): boolean =>
  keyed || idempotent || /^(GET|HEAD|OPTIONS|TRACE|PUT|DELETE|QUERY)$/i.test(method ?? '')

/** R3: whether the server promised that it did not act on a first attempt. */
export const isUnprocessed = (failure: Failure, attempt: number): boolean =>
  failure.kind === 'connect' && failure.refusedStream === true && attempt === 1

const classOf = ({ policy, failure, classification, keyed, failedTransiently }: DecisionInput): FailureClass => {
  if (failure.kind !== 'status') return failure.kind === 'final' ? 'final' : 'transient'
  const { status, headers } = failure
  const told = [headers.get('x-should-retry'), headers.get('stripe-should-retry')]
  const challenged = [headers.get('x-vercel-mitigated'), headers.get('cf-mitigated')].includes('challenge')
  if (challenged || told.includes('false')) return 'final' // R4
  if (classification) return classification.class
  if (policy.throttleStatuses.includes(status)) return 'throttle'
  const passing =
    policy.transientStatuses.includes(status) ||
    (told.includes('true') && status >= 400) ||
    (status === 409 && keyed && failedTransiently) // R2: the first attempt is still in progress
  return passing ? 'transient' : 'final'
}

/**
 * The decision: send again after a wait, or give up and why (R1–R9, R15, R16, H1–H5). Pure: it reads no clock,
 * waits for nothing and changes nothing.
 */
export function decide(input: DecisionInput): Decision {
  const { policy, failure, classification, attempt, random } = input
  const kind = classOf(input)
  const throttle = kind === 'throttle'
  const retryAfterMs =
    failure.kind !== 'status'
      ? null
      : (statedWait(failure.headers, throttle, input.wallNow, policy.hints) ?? classification?.waitMs ?? null)
  const giveUp = (reason: Reason): Decision => ({ retry: false, class: kind, reason, retryAfterMs })

  const repeatable = throttle || (policy.retryTransientIdempotent && (input.safe || isUnprocessed(failure, attempt)))
  if (kind === 'final' || !repeatable) return giveUp('not_retryable')
  if (!input.replayable) return giveUp('body_not_replayable')

  const budgetMs = policy.throttleBudgetMs
  const draw = (belowMs: number): number => (belowMs > 0 ? Math.floor(random() * belowMs) : 0)
  let waitMs: number
  if (budgetMs !== null && throttle) {
    // R15: throttles use up no attempts, and neither cap applies to their waits.
    waitMs = Math.max(retryAfterMs ?? 0, policy.throttleDefaultWaitMs)
    if (input.throttleWaitedMs + waitMs > budgetMs) return giveUp('throttle_budget')
  } else {
    const tries = budgetMs === null ? attempt : input.transientFailures
    if (tries >= (budgetMs === null ? policy.maxAttempts : policy.transientRetries + 1))
      return giveUp('attempts_exhausted')
    // 2^53 times any base is beyond every cap: the exponent needs no more, and the product stays finite (R7).
    const growth = 2 ** Math.min(tries - 1, 53)
    if (retryAfterMs !== null) waitMs = retryAfterMs
    else if (budgetMs === null) waitMs = draw(Math.min(policy.perAttemptCapMs, policy.baseMs * growth))
    else waitMs = policy.transientBaseMs * growth + draw(policy.transientJitterMs)
    if (waitMs > policy.perAttemptCapMs) return giveUp('wait_over_cap')
    if (input.waitedMs + waitMs > policy.totalCapMs) return giveUp('total_over_cap') // R9
    if (retryAfterMs !== null) waitMs += draw(policy.statedJitterMs) // R8: after the caps
  }
  if (policy.deadlineMs !== null && input.elapsedMs + waitMs > policy.deadlineMs) return giveUp('deadline') // R10
  if (!throttle && input.retryTokens < 1) return giveUp('retry_budget') // R16
  return { retry: true, class: kind, waitMs, retryAfterMs }
}
