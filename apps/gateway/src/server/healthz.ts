import type { Context } from 'hono'
import type { QueryNode } from '../nodes/node.js'
import { NodeUnavailableError } from '../nodes/node-unavailable-error.js'
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

/** Not AbortSignal.timeout, which holds its memory until it fires. */
async function ask(nodes: readonly Pick<QueryNode, 'ping'>[]): Promise<void> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Error('The engine does not answer.')), PING_TIMEOUT_MS)
  try {
    await Promise.any(nodes.map(async (node) => node.ping(late.signal)))
  } catch (error) {
    const [first] = error instanceof AggregateError ? error.errors : []
    throw first instanceof NodeUnavailableError ? first : new NodeUnavailableError('The engine does not answer.', 1000)
  } finally {
    clearTimeout(timer)
  }
}
