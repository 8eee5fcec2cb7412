import type { Failure } from '@sluice/core'
import type { Answer } from '../servers/answer.js'

/** What an answer is to a policy; undefined: a success. */
export function failureOfAnswer(answer: Answer): Failure | undefined {
  if (answer.kind !== 'status') return { kind: 'connect' }
  const { status, retryAfterMs } = answer
  if (status < 400) return undefined
  const stated = retryAfterMs === null ? null : String(Math.ceil(retryAfterMs / 1000))
  return { kind: 'status', status, headers: { get: (name) => (name.toLowerCase() === 'retry-after' ? stated : null) } }
}
