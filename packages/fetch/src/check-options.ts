import { shown } from '@sluice/core/adapter'
import type { FetchOptions } from './options.js'

type Kind = readonly [must: string, fits: (value: unknown) => boolean]

const isFunction = (value: unknown): boolean => typeof value === 'function'
const isBoolean = (value: unknown): boolean => typeof value === 'boolean'
const withMethod = (name: string): Kind => [`an object with ${name}()`, (value) => isFunction(Object(value)[name])]
const LIMIT = ['acquire', 'for']
const FUNCTION: Kind = ['a function', isFunction]

const OPTIONS: Record<keyof FetchOptions, Kind> = {
  policy: ['made by retryPolicy()', () => true], // core looks at it
  fetch: FUNCTION,
  idempotent: ['true or false', isBoolean],
  idempotencyKey: ['true, false or a function', (value) => isBoolean(value) || isFunction(value)],
  limit: ['an AdaptiveSemaphore or Limiters', (value) => LIMIT.some((name) => isFunction(Object(value)[name]))],
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
 * @throws TypeError that names the option, what it must be and what was given
 */
export function checkOptions(options: FetchOptions): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`createFetch: options must be an object; got ${shown(options)}`)
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTIONS, name))
      throw new TypeError(
        `createFetch: there is no option ${name}; options are ${Object.keys(OPTIONS).join(', ')}, and fields of a policy go into policy: retryPolicy({ … })`,
      )
    const [must, fits] = OPTIONS[name as keyof FetchOptions] // its own key
    if (value !== undefined && !fits(value))
      throw new TypeError(`createFetch: ${name} must be ${must}; got ${shown(value)}`)
  }
}
