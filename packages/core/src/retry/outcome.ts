import { isObject } from '../errors/is-object.js'
import type { Reason } from './reason.js'

/** How a call ended, beside what it returned or threw (R14). */
export interface Outcome {
  /** Sends made. */
  readonly attempts: number
  /** All time spent waiting: between attempts, for a slot, and under a hold. In ms. */
  readonly waitedMs: number
  /** Why it was not sent again; null where it succeeded. */
  readonly reason: Reason | null
  /** The wait that the last failure stated, in ms; null where it stated none. */
  readonly retryAfterMs: number | null
}

/** In the global registry, so that several copies of this package see each other's marks. */
const OUTCOME = Symbol.for('sluice.outcome')

type Marked = { [OUTCOME]?: Outcome; headers?: unknown }

/**
 * Reads the outcome of the call that ended with `value`: a `Response`, or an error.
 * @returns undefined where this library had no part in it
 */
export function outcomeOf(value: unknown): Outcome | undefined {
  if (!isObject(value)) return undefined
  // Typed by mark(), the only writer of this symbol. Errors of some SDKs keep a response's headers and nothing else of it.
  const { [OUTCOME]: own, headers } = value as Marked
  return own ?? (isObject(headers) ? (headers as Marked)[OUTCOME] : undefined)
}

/** Whether an inner layer has sent this more than once already, so that no outer one may start over (R14). */
export const wasRetried = (value: unknown): boolean => (outcomeOf(value)?.attempts ?? 1) > 1

/** Notes the outcome on what surfaces, unless an inner layer's retries are already noted there (R14). */
export const mark = <T>(value: T, outcome: Outcome): T => {
  if (!isObject(value) || wasRetried(value)) return value
  // A response's headers are its own; those of an error may be anybody's.
  for (const place of [value, value instanceof Response && value.headers])
    if (isObject(place) && Object.isExtensible(place))
      Object.defineProperty(place, OUTCOME, { value: outcome, configurable: true })
  return value
}
