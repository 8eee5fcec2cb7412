import type { AdaptiveSemaphore, Clock, LimitEventType, LimitSnapshot } from '@sluice/core'
import type { LogFields, Logger } from '../logger.js'
import { RefusalLog } from './refusal-log.js'

/** The others say that something got worse. */
const BETTER: ReadonlySet<LimitEventType> = new Set(['throttle_recovery', 'latency_recovery'])

/**
 * One line for each change of a node's limiter: its name, and what was known at that moment. Queries that it refused are told
 * together, once a second at most: `queue_rejected`, with how many there were since the last such line, and why.
 * @param queueTimeoutMs how long a query waits where none are shed
 * @returns told of what a query got in place of a slot
 */
export function logLimit(
  limiter: AdaptiveSemaphore,
  node: string,
  { logger, clock, queueTimeoutMs }: { logger: Logger; clock: Clock; queueTimeoutMs: number },
): (error: unknown) => void {
  const refusals = new RefusalLog(clock, queueTimeoutMs, ({ queueFull, queueTimeout, shed }) => {
    const snapshot = limiter.snapshot()
    logger.warn('queue_rejected', {
      ...{ node, rejected: queueFull + queueTimeout + shed },
      ...{ queueFull: queueFull || undefined, queueTimeout: queueTimeout || undefined, shed: shed || undefined },
      ...{ shedding: snapshot.shedding, ...fieldsOf(snapshot) },
    })
  })
  const onEvent = ({ type, ...snapshot }: { type: LimitEventType } & LimitSnapshot): void => {
    if (type !== 'queue_rejected' && type !== 'status')
      logger[BETTER.has(type) ? 'info' : 'warn'](type, { node, ...fieldsOf(snapshot) })
    refusals.tellDue()
  }
  // A window has ended now and then: what is left of a burst that is over is told then.
  limiter.subscribe(onEvent, { status: true })
  return (error) => refusals.refused(error)
}

function fieldsOf(snapshot: LimitSnapshot): LogFields {
  const { limit, inFlight, queued, p90Ms, smoothedMs, baselineMs, ratio, baselineTrust } = snapshot
  return {
    ...{ limit, inFlight, queued },
    ...{ p90Ms: rounded(p90Ms), smoothedMs: rounded(smoothedMs), baselineMs: rounded(baselineMs) },
    ...{ ratio: rounded(ratio), trust: baselineTrust },
  }
}

function rounded(value: number | null): number | undefined {
  return value === null ? undefined : Math.round(value * 1000) / 1000
}
