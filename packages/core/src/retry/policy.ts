import { isObject } from '../errors/is-object.js'
import type { Classify } from './failure.js'
import { HINTS, type Hint } from './hint.js'

/** What a retry policy can be told. All times are whole milliseconds. */
export interface RetryPolicyOptions {
  /** Sends of one call, the first included (R5). Default 4. Unused with a throttle budget. */
  maxAttempts?: number | undefined
  /** Full jitter starts from here: attempt n waits up to `baseMs · 2^(n−1)` (R7). Default 250. */
  baseMs?: number | undefined
  /** Longest single wait; a longer stated wait ends the call, it is never cut short (R5, R6). Default 10 000. */
  perAttemptCapMs?: number | undefined
  /** Longest sum of all waits of one call (R9). Default 30 000. */
  totalCapMs?: number | undefined
  /** Longest wall time of the whole call, attempts included (R10). Default null: none. */
  deadlineMs?: number | null | undefined
  /** Longest time from send to response headers, afresh for each attempt (R10). Default null: none. */
  attemptTimeoutMs?: number | null | undefined
  /** Longest silence within a response body (R10). Default null: none. */
  bodyIdleMs?: number | null | undefined
  /** A `Request`'s body is kept for a retry up to this many bytes (R13). Default 1 MiB. */
  maxReplayBytes?: number | undefined
  /** Up to this much is added to a stated wait, so that callers do not return together (R8). Default 0. */
  statedJitterMs?: number | undefined
  /** Statuses with which the server refuses before acting (R1). Default [429]. */
  throttleStatuses?: readonly number[] | undefined
  /** Statuses that may pass (R2). Default [502, 503, 504]. */
  transientStatuses?: readonly number[] | undefined
  /** `false`: no transient failure is retried at all, whatever the method (R2). Default true. */
  retryTransientIdempotent?: boolean | undefined
  /** Which headers may state a wait (H4). Default: all. */
  hints?: readonly Hint[] | undefined
  /** Longest sum of throttle waits; throttles then use up no attempts (R15). Default null: off. */
  throttleBudgetMs?: number | null | undefined
  /** With a throttle budget: shortest wait after a throttle (R15). At least 1; default 1 000. */
  throttleDefaultWaitMs?: number | undefined
  /** With a throttle budget: the k-th transient wait is this · 2^(k−1) and jitter (R15). Default 100. */
  transientBaseMs?: number | undefined
  /** With a throttle budget: jitter of a transient wait (R15). Default 50. */
  transientJitterMs?: number | undefined
  /** With a throttle budget: retries after transient failures (R15). Default 2. */
  transientRetries?: number | undefined
  /** Reads a failure the way one service documents it (R4). Default: none. */
  classify?: Classify | null | undefined
}

/** A complete, validated and frozen policy. Made by {@link retryPolicy}. */
export type RetryPolicy = Readonly<{
  [Field in keyof RetryPolicyOptions]-?: Exclude<RetryPolicyOptions[Field], undefined>
}>

const DEFAULTS: RetryPolicy = {
  maxAttempts: 4,
  baseMs: 250,
  perAttemptCapMs: 10_000,
  totalCapMs: 30_000,
  deadlineMs: null,
  attemptTimeoutMs: null,
  bodyIdleMs: null,
  maxReplayBytes: 1_048_576,
  statedJitterMs: 0,
  throttleStatuses: [429],
  transientStatuses: [502, 503, 504],
  retryTransientIdempotent: true,
  hints: HINTS,
  throttleBudgetMs: null,
  throttleDefaultWaitMs: 1000,
  transientBaseMs: 100,
  transientJitterMs: 50,
  transientRetries: 2,
  classify: null,
}

/** Fields whose smallest value is 1; every other number may be 0. */
const AT_LEAST_ONE = /^(maxAttempts|deadline|attemptTimeout|bodyIdle|throttleDefault)/

/** Whether `value` is what a field takes, and what that is. The default tells the kind of the field. */
const check = (field: keyof RetryPolicy, value: unknown): [boolean, string] => {
  const like = DEFAULTS[field]
  if (field === 'classify') return [value === null || typeof value === 'function', 'a function or null']
  if (typeof like === 'boolean') return [typeof value === 'boolean', 'true or false']
  if (field === 'hints')
    return [Array.isArray(value) && value.every((hint) => HINTS.includes(hint)), `a list of ${HINTS.join(', ')}`]
  if (Array.isArray(like)) {
    const fits = (status: unknown): boolean => Number.isInteger(status) && Number(status) > 99 && Number(status) < 600
    return [Array.isArray(value) && value.every(fits), 'a list of statuses from 100 to 599']
  }
  const least = AT_LEAST_ONE.test(field) ? 1 : 0
  const fits = value === null ? like === null : Number.isSafeInteger(value) && Number(value) >= least
  return [fits, `an integer of at least ${least}${like === null ? ', or null' : ''}`]
}

/**
 * Builds a policy: the given options over `base`, checked once and frozen (R17).
 *
 * @param options what differs; a field that is `undefined` counts as not given
 * @param base a policy to start from, such as a preset; default: the defaults of {@link RetryPolicyOptions}
 * @throws TypeError that names the field and the value, with the field's name as `field`; or the base that is no policy
 */
export function retryPolicy(options: RetryPolicyOptions = {}, base: RetryPolicy = DEFAULTS): RetryPolicy {
  if (!isObject(options)) throw new TypeError(`retryPolicy: options must be an object; got ${shown(options)}`)
  if (base !== DEFAULTS) checkedPolicy(base, 'retryPolicy')
  const policy: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    const [fits, must] = Object.hasOwn(DEFAULTS, name)
      ? check(name as keyof RetryPolicy, value) // its own key
      : [false, 'left out: there is no such option']
    if (!fits)
      throw Object.assign(new TypeError(`retryPolicy: ${name} must be ${must}; got ${shown(value)}`), { field: name })
    policy[name] = Array.isArray(value) ? Object.freeze([...value]) : value
  }
  Object.defineProperty(policy, MADE, { value: true })
  return Object.freeze(policy) as RetryPolicy // every field comes from DEFAULTS or was checked above
}

/** Not enumerable, so that a copy with other values does not pass for one that was checked. */
const MADE = Symbol.for('sluice.policy')

/** A value for a message: short, and never the inside of an object, which may hold secrets. */
export const shown = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(shown)}]`
  return typeof value === 'function' ? 'a function' : isObject(value) ? 'a plain object' : String(value)
}

/**
 * @returns the policy, if it was made by {@link retryPolicy} or is a preset
 * @throws TypeError that names `where` it was given, and what
 */
export function checkedPolicy(policy: RetryPolicy, where: string): RetryPolicy {
  if (isObject(policy) && MADE in policy) return policy
  throw new TypeError(`${where}: policy must be a preset or made by retryPolicy(); got ${shown(policy)}`)
}
