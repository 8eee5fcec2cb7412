import { duration } from './duration.js'
import type { End } from './end.js'

const count = (attempts: number): string => `${attempts} attempt${attempts === 1 ? '' : 's'}`

/** The sentence for an end (S1), without `Error: `; null where nothing is said: it went well, or was interrupted. */
export function messageOf(end: End): string | null {
  const { status, attempts } = end
  switch (end.kind) {
    case 'ok':
    case 'aborted':
      return null
    case 'throttled':
      return end.retryAfterMs === null
        ? 'rate limited; retry shortly'
        : `rate limited; server asked to retry in ${duration(end.retryAfterMs)}`
    case 'transient':
      return `HTTP ${status} after ${count(attempts)}`
    case 'connect':
      return `connection failed${end.cause === null ? '' : ` (${end.cause})`} after ${count(attempts)}`
    case 'timeout':
      return `request timed out (${count(attempts)})`
    case 'deadline':
      return `deadline of ${duration(end.deadlineMs ?? 0)} passed (${count(attempts)})`
    case 'queue_full':
      return 'too many calls are waiting for a slot'
    case 'queue_timeout':
      return `waited ${duration(end.waitedMs)} for a slot`
    case 'status':
      return `HTTP ${status}${end.title === null ? '' : `: ${end.title}`}`
  }
}
