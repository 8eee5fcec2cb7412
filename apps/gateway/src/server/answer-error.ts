import type { Context } from 'hono'
import type { Logger } from '../logger.js'
import { EngineError } from '../nodes/engine-error.js'
import { isForOperator, missingRight } from '../nodes/insert-fault.js'
import { NodeUnavailableError } from '../nodes/node-unavailable-error.js'
import { QueryTimeoutError } from '../nodes/query-timeout-error.js'
import { NotKeptError } from '../state/not-kept-error.js'
import { TooManyError } from '../state/too-many-error.js'
import { answerLimit } from './answer-limit.js'
import { ClientGoneError } from './client-gone-error.js'
import type { GatewayEnv } from './env.js'
import { problem } from './problem.js'
import { notKept, Refusal, tooMany } from './refusal.js'

/** Turns what was thrown into an answer. What the engine said goes to the log; callers get its code at most. */
export function answerError(error: unknown, c: Context<GatewayEnv>, logger: Logger): Response {
  if (error instanceof Refusal) return problem(c, error.problem)
  if (error instanceof ClientGoneError) return c.body(null, 408) // nobody is there to receive it
  if (error instanceof NodeUnavailableError) {
    return problem(c, {
      status: 503,
      kind: 'unavailable',
      title: 'Unavailable',
      detail: error.message,
      headers: { 'Retry-After': String(Math.ceil(error.retryAfterMs / 1000)) },
    })
  }
  if (error instanceof QueryTimeoutError) {
    return problem(c, {
      status: 504,
      kind: 'query-timeout',
      title: 'Query timed out',
      detail: `${error.message} Ask for less at once.`,
    })
  }
  if (error instanceof NotKeptError) {
    logger.error('could not be kept', { path: c.req.path, error: error.message })
    return problem(c, notKept().problem)
  }
  if (error instanceof TooManyError) return problem(c, tooMany(error).problem)
  if (error instanceof EngineError) return answerEngineError(error, c, logger)
  const refused = answerLimit(error, c)
  if (refused !== undefined) return refused
  logger.error('request failed', { path: c.req.path, error: error instanceof Error ? error.stack : String(error) })
  return problem(c, {
    status: 500,
    kind: 'internal',
    title: 'Internal error',
    detail: 'The gateway failed on this request.',
  })
}

function answerEngineError(error: EngineError, c: Context<GatewayEnv>, logger: Logger): Response {
  const { clickhouseCode, queryId, node } = error
  const members = { query_id: queryId, ...(clickhouseCode !== undefined && { clickhouse_code: clickhouseCode }) }
  if (error.outOfResources) {
    logger.warn('engine is out of resources', { node, queryId, clickhouseCode })
    // No Retry-After: nobody knows when other queries give back what this one lacked.
    return problem(c, {
      status: 429,
      kind: 'engine-busy',
      title: 'Engine busy',
      detail:
        'The engine is short of memory, query slots or parts just now. Come back later, with fewer requests at once.',
      members,
    })
  }
  logger.error('engine refused a query', { node, queryId, clickhouseCode, error: error.message })
  if (isForOperator(error)) {
    // No Retry-After: nobody knows when that is mended.
    return problem(c, {
      status: 503,
      kind: 'unavailable',
      title: 'Unavailable',
      detail: `${keptFrom(error, c)} Whoever runs the gateway finds ${queryId} in its log.`,
      members,
    })
  }
  return problem(c, {
    status: 500,
    kind: 'query-failed',
    title: 'Query failed',
    detail: `The engine could not run this query. Whoever runs the gateway finds ${queryId} in its log.`,
    members,
  })
}

/** Who defines something is told which right is missing for it; who only asks, not what the gateway asks the engine for. */
function keptFrom(error: EngineError, c: Context<GatewayEnv>): string {
  const right = c.req.method === 'PUT' ? missingRight(error) : undefined
  if (right === undefined) return 'The engine keeps the gateway from this.'
  return `The gateway's user on node "${error.node ?? ''}" lacks a right, ${right}; it has to be granted there.`
}
