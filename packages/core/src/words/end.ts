import type { Reason } from '../retry/reason.js'

/** How a call ended for who made it: rule S's closed list. */
export type EndKind =
  | 'ok'
  /** The last failure was a throttle, whatever bound then ended the call. */
  | 'throttled'
  /** A status that may pass, such as 503. */
  | 'transient'
  /** No connection, or no usable answer. */
  | 'connect'
  | 'timeout'
  | 'deadline'
  | 'queue_full'
  | 'queue_timeout'
  /** Any other status of 400 or more. */
  | 'status'
  | 'aborted'

/** Where the end was no answer: the tables' words. */
export type EndFailure = 'connect' | 'network' | 'timeout' | 'deadline' | 'queue_full' | 'queue_timeout' | 'held'

/** Everything that an end is put into words from. Times are ms. */
export interface End {
  readonly kind: EndKind
  /** The last HTTP status received in this call, or null. */
  readonly status: number | null
  readonly retryAfterMs: number | null
  readonly attempts: number
  readonly waitedMs: number
  readonly reason: Reason | null
  readonly failure: EndFailure | null
  /** What the connection failed with, such as `ECONNREFUSED`; null where it is not known. */
  readonly cause: string | null
  /** Of a final status: the problem's title (RFC 9457), or the status text; null where there is neither. */
  readonly title: string | null
  readonly deadlineMs: number | null
}
