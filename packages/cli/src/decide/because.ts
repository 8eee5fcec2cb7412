import { isFailFast } from '@sluice/core'
import { classRules } from './class-rules.js'
import { endRules } from './end-rules.js'
import { hintRules } from './hint-rules.js'
import { isSuccess, successRules } from './success.js'
import type { Question, Verdict } from './verdict.js'
import { waitRules } from './wait-rules.js'

/** One rule of the specification, and what it did here. */
export interface Because {
  /** `R8`, `H1` */
  readonly rule: string
  readonly text: string
}

/**
 * Explains a verdict. Nothing of the policy is worked out again: what the verdict says (its class, its reason, the
 * stated wait) names a rule, and where a rule may or may not have played a part, `decide()` is asked once more with
 * that part taken away; the rule is named where the answer changes.
 */
export function because(question: Question, verdict: Verdict): Because[] {
  const { lowest, highest } = verdict
  if (isSuccess(question.failure)) return successRules(question.failure)
  return [
    ...classRules(question, verdict),
    ...hintRules(question, verdict),
    ...(lowest.retry ? waitRules(question, verdict) : endRules(question, lowest)),
    ...(lowest.retry && !highest.retry ? endRules(question, highest) : []),
  ]
}

/** Whether every draw, some or none fail fast (R6): true, false, or null where it depends on the draw. */
export function failsFast({ lowest, highest }: Verdict): boolean | null {
  const fast = [lowest, highest].map((decision) => !decision.retry && isFailFast(decision.reason))
  return fast[0] === fast[1] ? (fast[0] ?? false) : null
}
