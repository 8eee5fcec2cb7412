import type { Context } from 'hono'
import type { Ingest } from '../ingest/ingest.js'
import type { QueryNode } from '../nodes/node.js'
import { NodeUnavailableError } from '../nodes/node-unavailable-error.js'
import type { Body } from './contract.js'
import type { GatewayEnv } from './env.js'

/** `GET /readyz`: 200 once requests are taken. That the gateway closes is answered before this is asked. */
export function readyz(
  c: Context<GatewayEnv>,
  nodes: readonly Pick<QueryNode, 'state'>[],
  ingest: Ingest | undefined,
): Response {
  if (!nodes.some(({ state }) => state === 'up')) throw new NodeUnavailableError('No node answers.', 1000)
  ingest?.pipeline // 503 while the spool is taken up
  return c.json({ status: 'ready' } satisfies Body['Readiness'])
}
