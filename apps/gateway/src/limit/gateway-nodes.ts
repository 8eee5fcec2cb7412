import type { AdaptiveSemaphore, ResolvedLimitOptions } from '@sluice/core'
import type { StoreNode } from '../nodes/store-node.js'
import type { LimitedNode } from './limited-node.js'

/** One node, and the limit before it. */
export interface GatewayNode {
  readonly node: StoreNode
  /** The same behind its limiter, for queries. */
  readonly limited: LimitedNode
  readonly limiter: AdaptiveSemaphore
  readonly options: ResolvedLimitOptions
}

/**
 * Where a query runs: where its data source is written, or else on the first node that is up.
 * @param wanted names of nodes, the one that is preferred first
 */
export function nodeFor(nodes: readonly GatewayNode[], wanted: readonly string[]): GatewayNode {
  const preferred = wanted.flatMap((name) => nodes.find(({ node }) => node.name === name) ?? [])
  const found = preferred[0] ?? nodes.find(({ node }) => node.state === 'up') ?? nodes[0]
  if (found === undefined) throw new Error('There is no node.') // never: a gateway has one at least
  return found
}
