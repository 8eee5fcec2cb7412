import type { Failure } from '@sluice/core'
import type { Because } from './because.js'

/** R3: a call never asks the policy about such an answer; a person may. */
export const isSuccess = (failure: Failure): boolean => failure.kind === 'status' && failure.status < 400

const REDIRECT = [301, 302, 303, 307, 308]

export function successRules(failure: Failure): Because[] {
  if (failure.kind !== 'status') return []
  const { status } = failure
  const text = REDIRECT.includes(status)
    ? `HTTP ${status} is a redirect: the transport follows it, and one that is not followed is the answer, a success.`
    : `HTTP ${status} is a success, as every status below 400, even with a Retry-After.`
  return [{ rule: 'R3', text }]
}
