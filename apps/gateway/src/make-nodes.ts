import { join } from 'node:path'
import type { Clock } from '@sluice/core'
import { type CheckedOptions, embeddedNames } from './gateway-options.js'
import type { GatewayNode } from './limit/gateway-nodes.js'
import { LimitedNode } from './limit/limited-node.js'
import { logLimit } from './limit/log-limit.js'
import { type LimitReport, NodeLimiter } from './limit/node-limiter.js'
import { EmbeddedNode } from './nodes/embedded/embedded-node.js'
import { ServerNode } from './nodes/server/server-node.js'
import type { StoreNode } from './nodes/store-node.js'

/** A node, and when its limiter was made, in epoch ms. */
export interface MadeNode extends GatewayNode {
  readonly createdAtMs: number
}

/**
 * All nodes of a gateway, each behind a limiter of its own; none is started.
 * @param onReport told what the limiter of the first one is told
 */
export function makeNodes(checked: CheckedOptions, clock: Clock, onReport: (report: LimitReport) => void): MadeNode[] {
  const tenants = [...new Set(checked.tokens.tokens.map(({ tenant = 'default' }) => tenant))]
  const nodes: StoreNode[] = embeddedNames(checked.embedded).map((name, i) => embeddedNode(checked, tenants, name, i))
  for (const server of checked.nodes) nodes.push(new ServerNode({ ...server, logger: checked.logger }))
  const { limit: config, logger } = checked
  const { queueTimeoutMs, maxQueue } = config.limit
  // A quarter of the places, unless there is nobody to leave the others to.
  const maxPerTenant = tenants.length > 1 ? Math.max(1, Math.ceil(maxQueue / 4)) : Number.POSITIVE_INFINITY
  return nodes.map((node, i) => {
    const nodeLimiter = new NodeLimiter(config, clock, i === 0 ? onReport : undefined)
    const { semaphore: limiter, createdAtMs } = nodeLimiter
    const onRefused = logLimit(limiter, node.name, { logger, clock, queueTimeoutMs })
    const limited = new LimitedNode(node, nodeLimiter, { maxHeldMs: queueTimeoutMs, maxPerTenant, onRefused })
    return { node, limiter, limited, options: config.limit, createdAtMs }
  })
}

function embeddedNode(checked: CheckedOptions, tenants: readonly string[], name: string, index: number): EmbeddedNode {
  const { sessions, maxWaiting, datasets, logger, dataDir, spoolDir } = checked
  const own = dataDir === undefined || index === 0 ? dataDir : `${dataDir}-${index + 1}`
  const path = own ?? (spoolDir === undefined ? undefined : join(spoolDir, 'engines', name))
  return new EmbeddedNode({
    name,
    sessions,
    maxWaiting,
    tenants,
    datasets,
    logger,
    ...(path !== undefined && { dataDir: path }),
  })
}
