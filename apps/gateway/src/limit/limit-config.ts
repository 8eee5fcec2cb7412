import { type LimitOptions, limitOptions, type ResolvedLimitOptions } from '@sluice/core'
import { ConfigError } from '../config-error.js'
import { madeOf } from '../option-values.js'

/** How queries to the engine are limited. What is left out has the default of `AdaptiveSemaphore`, but for two. */
export interface GatewayLimitOptions extends LimitOptions {
  /** Queries in flight at most. Default 8: as many as the engine has sessions. */
  readonly maxConcurrent?: number | undefined
  /** Queries that may wait for a slot. Default `maxWaiting`. */
  readonly maxQueue?: number | undefined
  /** p90 of a window that is to be expected, in ms, so that a slow engine is noticed from its first window on (L17). */
  readonly expectedP90Ms?: number | undefined
}

/** Complete and checked. */
export interface LimitConfig {
  readonly limit: ResolvedLimitOptions
  readonly expectedP90Ms: number | undefined
}

/** @throws ConfigError */
export function checkLimit(
  { expectedP90Ms, ...own }: GatewayLimitOptions,
  defaults: { readonly maxConcurrent: number; readonly maxQueue: number },
): LimitConfig {
  if (expectedP90Ms !== undefined && !(Number.isFinite(expectedP90Ms) && expectedP90Ms > 0))
    throw new ConfigError('options', 'limit.expectedP90Ms', `is ${expectedP90Ms}; it must be a number of ms above 0`)
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
  return { limit: madeOf('limit', () => limitOptions({ ...defaults, ...given })), expectedP90Ms }
}
