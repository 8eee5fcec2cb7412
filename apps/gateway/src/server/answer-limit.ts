import { QueueFullError, QueueTimeoutError, ThrottledError } from '@sluice/core'
import type { Context } from 'hono'
import { TenantQueueFullError } from '../limit/tenant-queue-full-error.js'
import type { GatewayEnv } from './env.js'
import { problem } from './problem.js'
import { tenantBusy } from './refusal.js'

/** 429 for a query that the node's limiter had no place for; undefined: the error is none of the limiter's. */
export function answerLimit(error: unknown, c: Context<GatewayEnv>): Response | undefined {
  if (error instanceof TenantQueueFullError)
    return problem(c, tenantBusy(`has ${error.most} queries waiting for the engine`).problem)
  // No Retry-After for these two: nobody knows when those in front will be through.
  if (error instanceof QueueFullError) {
    return problem(c, {
      status: 429,
      kind: 'queue-full',
      title: 'Queue full',
      detail: `${error.maxQueue} queries wait for the engine already. Come back later, with fewer requests at once.`,
    })
  }
  if (error instanceof QueueTimeoutError) {
    return problem(c, {
      status: 429,
      kind: 'queue-timeout',
      title: 'No slot in time',
      detail:
        `The query waited ${error.queueTimeoutMs} ms for the engine and was not begun. ` +
        'Come back later, with fewer requests at once.',
    })
  }
  if (!(error instanceof ThrottledError)) return undefined
  const seconds = Math.ceil((error.retryAfterMs ?? 0) / 1000)
  return problem(c, {
    status: 429,
    kind: 'held',
    title: 'Engine asked for a pause',
    detail: `The engine takes no queries for a while. Come back in ${seconds} s.`,
    headers: { 'Retry-After': String(seconds) },
  })
}
