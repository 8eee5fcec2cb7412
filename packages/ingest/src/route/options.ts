import type { Clock } from '@sluice/core'
import type { Fields } from '../settings.js'

/** What a {@link Router} can be told (I6). Times are milliseconds. */
export interface RouterOptions {
  /** The nodes' names; at least one, and each once. */
  nodes: readonly string[]
  /** No node gets more data sources than so many times the mean, rounded up. Default 1.25. */
  loadFactor?: number | undefined
  /** So many failures in a row eject a node. Default 5. */
  failuresInARow?: number | undefined
  /** A p90 flush time above so many times the nodes' median ejects it. Default 3. */
  slowRatio?: number | undefined
  /** Flushes without which a node has no p90. Default 20. */
  minFlushes?: number | undefined
  /** The last so many flushes make it, since the node came into service. Default 100. */
  windowFlushes?: number | undefined
  /** An ejection lasts so long times how often the node was ejected. Default 30 000. */
  ejectionMs?: number | undefined
  /** And at most so long. Default 300 000. */
  maxEjectionMs?: number | undefined
  /** No more than this share of the nodes is out at a time, rounded down. Default 0.5. */
  maxEjected?: number | undefined
  /** A probe of which nothing is heard for longer counts as failed. Default 30 000. */
  probeTimeoutMs?: number | undefined
  /** A node that comes back begins with this share of its data sources. Default 0.1. */
  slowStartShare?: number | undefined
  /** And has all of them after so long. Default 30 000. */
  slowStartMs?: number | undefined
  /** Data sources whose node is remembered; above it the one unused for longest is placed anew. Default 100 000. */
  maxSources?: number | undefined
  /** How much a data source belongs to a node. Default: a hash of both. */
  score?: ((source: string, node: string) => number) | undefined
  /** From which share on a data source goes back to a node in slow start, in [0, 1). Default: a hash of its name. */
  place?: ((source: string) => number) | undefined
  /** Default: the system's. */
  clock?: Pick<Clock, 'now'> | undefined
}

type Field = Exclude<keyof RouterOptions, 'nodes' | 'score' | 'place' | 'clock'>

export const ROUTER_FIELDS: Readonly<Record<Field, Fields[string]>> = {
  loadFactor: [1.25, 'a number of at least 1'],
  failuresInARow: [5, 'an integer of at least 1'],
  slowRatio: [3, 'a number of at least 1'],
  minFlushes: [20, 'an integer of at least 1'],
  windowFlushes: [100, 'an integer of at least 1'],
  ejectionMs: [30_000, 'a number above 0'],
  maxEjectionMs: [300_000, 'a number above 0'],
  maxEjected: [0.5, 'a number from 0 to 1'],
  probeTimeoutMs: [30_000, 'a number above 0'],
  slowStartShare: [0.1, 'a number from 0 to 1'],
  slowStartMs: [30_000, 'a number of at least 0'],
  maxSources: [100_000, 'an integer of at least 1'],
}

/** Complete and checked. */
export type RouterSettings = Readonly<Record<Field, number>>
