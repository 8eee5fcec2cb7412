import type { RetryEvent } from '../retry/options.js'
import { duration } from './duration.js'

const WHAT = { connect: 'connection failed', timeout: 'request timed out', final: 'failed' }

/** The line that tells who waits why nothing happens (S1, S2): `rate limited; retrying in 1s (attempt 2)`. */
export function waitingNote({ class: kind, failure, waitMs, attempt }: RetryEvent): string {
  const status = failure.kind === 'status' ? `HTTP ${failure.status}` : WHAT[failure.kind]
  return `${kind === 'throttle' ? 'rate limited' : status}; retrying in ${duration(waitMs)} (attempt ${attempt})`
}
