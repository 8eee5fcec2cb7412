import type { Context } from 'hono'
import type { QueryNode } from '../nodes/node.js'
import { NodeUnavailableError } from '../nodes/node-unavailable-error.js'
import { within } from '../within.js'
import type { Body } from './contract.js'
import type { GatewayEnv } from './env.js'

const PING_TIMEOUT_MS = 1000

/** `GET /healthz`: 200 when an engine answers, 503 when none does. Needs no token, so it shares one question. */
export function healthz(nodes: readonly Pick<QueryNode, 'ping'>[]): (c: Context<GatewayEnv>) => Promise<Response> {
  let asking: Promise<void> | undefined
  return async (c) => {
    asking ??= ask(nodes).finally(() => {
      asking = undefined
    })
    await asking
    return c.json({ status: 'ok' } satisfies Body['Health'])
  }
}

async function ask(nodes: readonly Pick<QueryNode, 'ping'>[]): Promise<void> {
  const silent = new NodeUnavailableError('The engine does not answer.', 1000)
  try {
    await within(PING_TIMEOUT_MS, silent, (late) => Promise.any(nodes.map(async (node) => node.ping(late))))
  } catch (error) {
    const [first] = error instanceof AggregateError ? error.errors : []
    throw first instanceof NodeUnavailableError ? first : silent
  }
}
