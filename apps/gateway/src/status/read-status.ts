import type { AdaptiveSemaphore, Clock, ResolvedLimitOptions } from '@sluice/core'
import type { LimitedNode } from '../limit/limited-node.js'
import type { QueryNode } from '../nodes/node.js'
import type { Body } from '../server/contract.js'
import type { Viewer } from './viewer.js'

/** One node as status sees it. */
export interface WatchedNode {
  readonly node: Pick<QueryNode, 'name' | 'state'>
  readonly limiter: Pick<AdaptiveSemaphore, 'snapshot'>
  readonly options: Pick<ResolvedLimitOptions, 'windowMs' | 'maxConcurrent' | 'controller'>
  /** The node behind its limiter, for what was let past that. */
  readonly limited: Pick<LimitedNode, 'pastLimit' | 'throttles'>
}

/** All of a status but the moment it was read. */
export type Condition = Omit<Body['Status'], 'at'>

/** The data sources that somebody is shown. */
export type ReadSources = (viewer: Viewer) => readonly Body['DataSourceStatus'][]

/**
 * @param sources default: there are none
 * @returns a function that reads how everything is doing, of data sources what is for its viewer; equal readings are equal
 *   as JSON
 */
export function conditionReader(
  nodes: readonly WatchedNode[],
  clock: Clock,
  sources: ReadSources = () => [],
): (viewer?: Viewer) => Condition {
  const readers = nodes.map((it) => ({ ...it, isoOf: holdEnds(clock) }))
  return (viewer) => {
    const data_sources = viewer === undefined ? [] : sources(viewer)
    const states = readers.map(({ node, isoOf, ...rest }): Body['NodeStatus'] => {
      return { name: node.name, state: node.state, limit: limitOf(rest, isoOf) }
    })
    return { state: overall(states, data_sources), nodes: states, data_sources }
  }
}

/** L15, in the words of the contract. */
function limitOf(
  { limiter, limited, options: { windowMs, maxConcurrent, controller } }: Omit<WatchedNode, 'node'>,
  isoOf: (holdUntil: number) => string,
): Body['NodeLimit'] {
  const it = limiter.snapshot()
  return {
    limit: it.limit,
    throttle_ceiling: it.throttleCeiling,
    latency_ceiling: it.latencyCeiling,
    in_flight: it.inFlight,
    queued: it.queued,
    past_limit: limited.pastLimit,
    throttles: limited.throttles,
    p90_ms: it.p90Ms,
    smoothed_ms: it.smoothedMs,
    baseline_ms: it.baselineMs,
    ratio: it.ratio,
    baseline_trust: it.baselineTrust,
    shedding: it.shedding,
    overdraft_left_ms: it.overdraftLeftMs,
    hold_until: it.holdUntil === null ? null : isoOf(it.holdUntil),
    window_ms: windowMs,
    max_concurrent: maxConcurrent,
    controller,
  }
}

function overall(
  nodes: readonly Body['NodeStatus'][],
  sources: readonly Body['DataSourceStatus'][],
): Condition['state'] {
  const up = nodes.filter((it) => it.state === 'up').length
  if (up === nodes.length && sources.every((it) => it.state === 'flowing')) return 'ok'
  return up === 0 ? 'down' : 'degraded'
}

/** Two clocks never agree to the millisecond twice: each hold is put into words once, or it would seem to change. */
function holdEnds(clock: Clock): (holdUntil: number) => string {
  let known = Number.NaN
  let iso = ''
  return (holdUntil) => {
    if (holdUntil !== known) {
      known = holdUntil
      iso = new Date(Math.ceil(clock.wallNow() + holdUntil - clock.now())).toISOString()
    }
    return iso
  }
}
