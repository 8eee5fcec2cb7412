import { shown } from '@sluice/core/adapter'
import type { FetchOptions } from './options.js'

/** What an option must be, in words, and the check. */
export type Kind = readonly [must: string, fits: (value: unknown) => boolean]

export const isFunction = (value: unknown): boolean => typeof value === 'function'
const isBoolean = (value: unknown): boolean => typeof value === 'boolean'
const withMethod = (name: string): Kind => [`an object with ${name}()`, (value) => isFunction(Object(value)[name])]
const isLimiter = (value: unknown): boolean => {
  const { for: byKey, acquire, tryAcquire } = Object(value)
  return isFunction(byKey) || (isFunction(acquire) && isFunction(tryAcquire))
}
export const FUNCTION: Kind = ['a function', isFunction]

const OPTIONS: Record<keyof FetchOptions, Kind> = {
  policy: ['made by retryPolicy()', () => true], // core looks at it
  fetch: FUNCTION,
  idempotent: ['true or false', isBoolean],
  idempotencyKey: ['true, false or a function', (value) => isBoolean(value) || isFunction(value)],
  limit: ['an AdaptiveSemaphore or Limiters', isLimiter],
  limitKey: FUNCTION,
  letPast: FUNCTION,
  latencyOf: FUNCTION,
  slotUntil: ["'body' or 'headers'", (value) => value === 'body' || value === 'headers'],
  retryBudget: withMethod('take'),
  onRetry: FUNCTION,
  onGiveUp: FUNCTION,
  logger: withMethod('warn'),
  clock: withMethod('timer'),
  random: FUNCTION,
}

/**
 * Checks options when they are given, and not when they are first needed, which may be in the first failure.
 * @param where the function that they were given to
 * @param more what an adapter takes beyond these
 * @throws TypeError that names the option, what it must be and what was given
 */
export function checkOptions(options: FetchOptions, where = 'createFetch', more: Record<string, Kind> = {}): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`${where}: options must be an object; got ${shown(options)}`)
  const kinds: Record<string, Kind> = { ...OPTIONS, ...more }
  for (const [name, value] of Object.entries(options)) {
    const [must, fits] = (Object.hasOwn(kinds, name) && kinds[name]) || []
    if (!fits)
      throw new TypeError(
        `${where}: there is no option ${name}; options are ${Object.keys(kinds).join(', ')}, and fields of a policy go into policy: retryPolicy({ … })`,
      )
    if (value !== undefined && !fits(value))
      throw new TypeError(`${where}: ${name} must be ${must}; got ${shown(value)}`)
  }
}
