import type { Clock } from '@sluice/core'
import type { Fields } from '../settings.js'

/** What a {@link KeyedBreaker} can be told (I2). Times are milliseconds. */
export interface KeyedBreakerOptions {
  /** How long events of a data source are gathered before they are written; a function is asked for each key. Default 1000. */
  flushIntervalMs?: number | ((key: string) => number) | undefined
  /** So many slow flushes in a row open it. Default 3. */
  slowFlushes?: number | undefined
  /** A flush is slow above so many times the source's own baseline, and above its interval. Default 4. */
  slowRatio?: number | undefined
  /** Flushes without which there is no baseline, and none is slow. Default 5. */
  baselineFlushes?: number | undefined
  /** An oldest event of more than so many flush intervals opens it. Default 5. */
  oldIntervals?: number | undefined
  /** Active parts above this share of `parts_to_delay_insert` open it. Default 0.5. */
  partsShare?: number | undefined
  /** How long it stays open before it is probed. Default 60 000. */
  holdMs?: number | undefined
  /** By what share of itself a hold is shortened or lengthened at random, so that not all are probed together. Default 0.1. */
  holdJitter?: number | undefined
  /** No probe unless the node answered a ping in less than so many times its own baseline. Default 4. */
  pingRatio?: number | undefined
  /** No probe where the node gave a resource error less than so long ago. Default 10 000. */
  resourceErrorMs?: number | undefined
  /** A probe of which nothing is heard for longer counts as failed. Default 60 000. */
  probeTimeoutMs?: number | undefined
  /** After so many holds in which nothing got better it delays no longer, and says so. Default 3. */
  maxHolds?: number | undefined
  /** Better is what is below this share of what it was when it opened. Default 0.8. */
  betterRatio?: number | undefined
  /** Keys kept; above it the closed one unused for longest is forgotten, with its baseline. Default 10 000. */
  maxKeys?: number | undefined
  /** Draws from [0, 1). Default `Math.random`. */
  random?: (() => number) | undefined
  /** Default: the system's. */
  clock?: Pick<Clock, 'now'> | undefined
}

type Field = Exclude<keyof KeyedBreakerOptions, 'flushIntervalMs' | 'random' | 'clock'>

export const BREAKER_FIELDS: Readonly<Record<Field, Fields[string]>> = {
  slowFlushes: [3, 'an integer of at least 1'],
  slowRatio: [4, 'a number of at least 1'],
  baselineFlushes: [5, 'an integer of at least 1'],
  oldIntervals: [5, 'a number above 0'],
  partsShare: [0.5, 'a number above 0'],
  holdMs: [60_000, 'a number above 0'],
  holdJitter: [0.1, 'a number from 0 to 1'],
  pingRatio: [4, 'a number of at least 1'],
  resourceErrorMs: [10_000, 'a number of at least 0'],
  probeTimeoutMs: [60_000, 'a number above 0'],
  maxHolds: [3, 'an integer of at least 1'],
  betterRatio: [0.8, 'a number from 0 to 1'],
  maxKeys: [10_000, 'an integer of at least 1'],
}

/** Complete and checked. */
export type BreakerSettings = Readonly<Record<Field, number>>
