import type { End } from './end.js'
import { messageOf } from './message-of.js'

/** An end as data: what a program reads in place of the sentence (S1). */
export type EndReport = Pick<
  End,
  'status' | 'retryAfterMs' | 'attempts' | 'waitedMs' | 'reason' | 'failure' | 'cause'
> & { code: End['kind']; message: string | null }

export function reportOf(end: End): EndReport {
  const { kind: code, status, retryAfterMs, attempts, waitedMs, reason, failure, cause } = end
  return { code, message: messageOf(end), status, retryAfterMs, attempts, waitedMs, reason, failure, cause }
}
