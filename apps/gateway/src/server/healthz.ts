import type { Handler } from 'hono'
import type { QueryNode } from '../nodes/node.js'
import { NodeUnavailableError } from '../nodes/node-unavailable-error.js'
import type { Body } from './contract.js'
import type { GatewayEnv } from './env.js'

const PING_TIMEOUT_MS = 1000

/** `GET /healthz`: 200 when the engine answers, 503 when it does not. Needs no token, so it shares one question. */
export function healthz(node: QueryNode): Handler<GatewayEnv> {
  let asking: Promise<void> | undefined
  return async (c) => {
    asking ??= node.ping(PING_TIMEOUT_MS).finally(() => {
      asking = undefined
    })
    try {
      await asking
    } catch (error) {
      throw error instanceof NodeUnavailableError
        ? error
        : new NodeUnavailableError('The engine does not answer.', 1000)
    }
    return c.json({ status: 'ok' } satisfies Body['Health'])
  }
}
